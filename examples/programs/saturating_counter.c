/* A counter in one byte stops at 255 and does not begin again. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned char counter = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned char before = counter;
        if (counter < 255)
            counter++;
        if (counter < before)
            reach_error();
    }
    return 0;
}
