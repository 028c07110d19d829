/* A deterministic loop with two branches inside; a relation of two variables after it. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, a = 0, b = 0;
    while (i < 100) {
        if (__VERIFIER_nondet_int())
            a = 1;
        if (a == 1)
            b = 1;
        i = i + 1;
    }
    if (a == 0 && b == 1)
        reach_error();
    return 0;
}
