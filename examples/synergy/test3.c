/* Like figure 1, but safe: a deterministic loop before a check that has nothing to do with it. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), flag, i = 0;
    __VERIFIER_assume(a > 0);
    flag = a;
    while (i < 50)
        i = i + 1;
    if (flag <= 0)
        reach_error();
    return 0;
}
