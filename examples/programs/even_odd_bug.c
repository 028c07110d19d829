/* Like even_odd.c, but one is even to the one, and odd to the other function. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int is_odd(int n);

int is_even(int n) {
    return n <= 1 ? 1 : is_odd(n - 1);
}

int is_odd(int n) {
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 1000);
    if (is_even(n) == is_odd(n))
        reach_error();
    if (is_even(n) != 0 && is_even(n) != 1)
        reach_error();
    return 0;
}
