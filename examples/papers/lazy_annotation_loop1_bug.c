/* Like lazy_annotation_loop1.c, but each third round takes the increment back, and one more. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    int i = 0;
    __VERIFIER_assume(x == y && x > -1000 && x < 1000 && n < 1000);
    while (i < n) {
        if (i % 3 == 2)
            x = x - 3;
        else
            x = x + 1;
        i = i + 1;
    }
    if (x < y)
        reach_error();
    return 0;
}
