// The largest elements gather at the end, each one after all that are not larger.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = input();
    if (n < 1 || n > 100000)
        return 0;
    int a[n];
    for (int i = n - 1; i > 0; i--)
        for (int j = 0; j < i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i + 1 < n; i++)
        if (a[i] > a[i + 1])
            reach_error();
}
