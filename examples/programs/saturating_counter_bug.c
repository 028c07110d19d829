/* Like saturating_counter.c, but it asks whether the byte is below 256, which it always is. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned char counter = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned char before = counter;
        if ((int)counter < 256)
            counter++;
        if (counter < before)
            reach_error();
    }
    return 0;
}
