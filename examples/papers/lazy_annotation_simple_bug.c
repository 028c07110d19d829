/* Like lazy_annotation_simple.c, but the assumption on y lets one negative value through. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x == 0);
    if (__VERIFIER_nondet_int()) {
        int y = __VERIFIER_nondet_int();
        __VERIFIER_assume(y >= -1);
        x = x + y;
    }
    if (x < 0)
        reach_error();
    return 0;
}
