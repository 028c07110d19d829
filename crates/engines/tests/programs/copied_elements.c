// Elements with the same number in arrays at different addresses.
// engine: cells  verdict: safe
extern int input(void);
extern void reach_error(void);
int a[100000], b[100000], c[100000];
int main(void) {
    for (int i = 0; i < 100000; i++)
        a[i] = input();
    for (int i = 0; i < 100000; i++)
        b[i] = a[i];
    for (int i = 0; i < 100000; i++)
        c[i] = b[i];
    for (int i = 0; i < 100000; i++)
        if (a[i] != c[i])
            reach_error();
    return 0;
}
