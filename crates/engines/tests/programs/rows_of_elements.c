// An array of rows whose length is a variable: elements are numbered through all of them.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int m = 1000, n = 1500;
    int a[m][n];
    int c = input();
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = c;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (a[i][j] != c)
                reach_error();
}
