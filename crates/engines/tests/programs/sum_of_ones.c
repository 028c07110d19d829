// A sum that counts, since every element is one.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = input();
    if (n < 1 || n > 100000)
        return 0;
    int a[n];
    long sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = 1;
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
    if (sum != n)
        reach_error();
}
