/* Like figure 6: the end of the loop is a dead end. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int y = __VERIFIER_nondet_int(), stop = 0;
    while (y > 0)
        y = y - 1;
    __VERIFIER_assume(stop);
    reach_error();
    return 0;
}
