// engine: frames  verdict: safe
// check: error memory
// Of memory, what a loop has written is known, what it has passed, and that the rest is as it was.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

static int same(const unsigned char *a, const unsigned char *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

int main(void)
{
    unsigned long n = any(), j = any(), old = any();
    if (n == 0 || n > 1000 || old >= n || j >= n)
        return 0;
    unsigned char *a = malloc(n), *b = malloc(2 * n);
    if (!a || !b)
        return 0;
    b[old] = 7;
    for (unsigned long i = 0; i < n; i++)
        b[n + i] = a[i];
    if (b[n + j] != a[j] || b[old] != 7)
        reach_error();
    if (same(a, b, n) && a[j] != b[j])
        reach_error();
    return 0;
}
