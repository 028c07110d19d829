// engine: pdr-variables  verdict: unknown
// engine: pdr  verdict: safe
// The same lock in memory: without what memory holds, nothing can be told.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int locks[4] = {0, 0, 0, 0};
    int at = 0;
    while (__VERIFIER_nondet_int()) {
        locks[at] = 1;
        if (locks[at] != 1)
            __VERIFIER_error();
        locks[at] = 0;
        at = at == 3 ? 0 : at + 1;
    }
    return 0;
}
