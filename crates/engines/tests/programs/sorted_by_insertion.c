// Elements move up to make room for one that is smaller.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = input();
    if (n < 1 || n > 100000)
        return 0;
    int a[n];
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
    for (int i = 0; i + 1 < n; i++)
        if (a[i] > a[i + 1])
            reach_error();
}
