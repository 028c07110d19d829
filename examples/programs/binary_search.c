/* Binary search looks only at elements that exist. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int low = 0, high;
    if (n < 0 || n > 1000000000)
        return 0;
    high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = __VERIFIER_nondet_int(); /* the key against a[middle] */
        if (middle < 0 || middle >= n)
            reach_error();
        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}
