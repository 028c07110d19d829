/* McMillan, Lazy Annotation, figure 1, "diamond": a is irrelevant, and must be forgotten again. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int p = __VERIFIER_nondet_int();
    int x = 0;
    int a;
    __VERIFIER_assume(p);
    if (__VERIFIER_nondet_int())
        a = 1;
    else
        a = 0;
    if (a)
        x = x + 1;
    else
        x = x - 1;
    if (!p)
        reach_error();
    return x;
}
