/* McMillan, Lazy Annotation, figure 1, "loop1": x >= y is inductive, x >= y or i < n is not. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    int i = 0;
    __VERIFIER_assume(x == y);
    while (i < n) {
        x = x + 1;
        i = i + 1;
    }
    if (x < y)
        reach_error();
    return 0;
}
