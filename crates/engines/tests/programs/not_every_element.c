// One element is left out, and it is the last.
// engine: houdini  verdict: unknown
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = input();
    if (n < 1)
        return 0;
    int a[n];
    for (int i = 0; i < n - 1; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        if (a[i] != i)
            reach_error();
}
