// returns 0
// Arrays of variable length: matrices, parameters, typedefs, pointers to them.
int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s + (int)(sizeof a[0] / sizeof(int)) - m;
}
int last(int n, int (*a)[n]);
int last(int n, int (*a)[n]) { return a[1][n - 1]; }

int main(void) {
    int n = 3, m = 2, i = 0;
    int fixed[2][3] = {{1, 2, 3}, {4, 5, 6}};
    if (sum(2, 3, fixed) != 21 || last(3, fixed) != 6)
        return 1;
    int a[m][n];
    if (sizeof a != 24 || sizeof a[0] != 12)
        return 2;
    for (int x = 0; x < m; x++)
        for (int y = 0; y < n; y++)
            a[x][y] = 10 * x + y;
    if (sum(m, n, a) != 36 || a[1][2] != 12 || (*a)[1] != 1)
        return 3;
    int(*p)[n] = fixed;
    p++;
    n = 100;
    if ((*p)[1] != 5 || p - fixed != 1 || p[-1][2] != 3 || sizeof *p != 12)
        return 4;
    typedef int row[m];
    row r;
    r[1] = 8;
    if (sizeof r != 8 || sizeof(row) != 8 || r[1] != 8)
        return 5;
    int s = sizeof(int[i++ + m]);
    if (s != 8 || i != 1)
        return 6;
    int *flat = &fixed[0][0];
    if (((int(*)[m])flat)[1][1] != 4)
        return 7;
    return 0;
}
