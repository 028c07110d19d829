/* The sum of the first n numbers is not less than n. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    if (n < 0 || n > 10000)
        return 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    if (sum < n)
        reach_error();
    return 0;
}
