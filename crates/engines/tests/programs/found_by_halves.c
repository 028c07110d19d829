// Binary search: what is before the place is smaller, and what is after it is not.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int a[100000];
int main(void) {
    int n = input(), x = input();
    if (n < 1 || n > 100000)
        return 0;
    for (int i = 0; i < n; i++) {
        a[i] = input();
        if (i > 0 && a[i] < a[i - 1])
            return 0;
    }
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    int k = input();
    if (k >= 0 && k < low && a[k] >= x)
        reach_error();
    if (k >= low && k < n && a[k] < x)
        reach_error();
}
