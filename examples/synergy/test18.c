/* A sum that is at least its number of summands. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = 0, sum = 0;
    while (__VERIFIER_nondet_int() && sum < 1000000) {
        n = n + 1;
        sum = sum + 2;
    }
    if (sum < n)
        reach_error();
    return 0;
}
