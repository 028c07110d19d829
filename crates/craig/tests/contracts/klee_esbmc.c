// unsafe: --entry symbolic
// safe: --entry assumed
// unsafe: --entry esbmc
// safe: --entry esbmc_assumed
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_assume(unsigned long);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
int nondet_int(void);

int symbolic(void) {
    int x = 1, a[4] = {0, 0, 0, 0};
    klee_make_symbolic(&x, sizeof x, "x");
    return a[x & 7];
}

int assumed(void) {
    int x = 1, a[4] = {0, 0, 0, 0};
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x >= 0);
    klee_assume(x < 4);
    return a[x];
}

void esbmc(void) {
    __ESBMC_assert(nondet_int() != 3, "not three");
}

void esbmc_assumed(void) {
    int x = nondet_int();
    __ESBMC_assume(x > 3);
    __ESBMC_assert(x != 3, "not three");
}
