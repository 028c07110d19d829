/* Like vinta_restricted.c, but the loop can also go up by three. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 10;
    while (__VERIFIER_nondet_int() && x > 0 && x < 100) {
        if (__VERIFIER_nondet_int())
            x = x - 2;
        else
            x = x + 3;
    }
    if (x == 9)
        reach_error();
    return 0;
}
