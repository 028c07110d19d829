// The least of what is left is no less than all that was taken before.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = input();
    if (n < 1 || n > 100000)
        return 0;
    int a[n];
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least])
                least = j;
        int t = a[i];
        a[i] = a[least];
        a[least] = t;
    }
    for (int i = 0; i + 1 < n; i++)
        if (a[i] > a[i + 1])
            reach_error();
}
