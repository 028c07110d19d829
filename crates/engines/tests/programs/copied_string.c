// A string is copied up to its first zero, which is copied too; both pointers move.
// engine: frames  verdict: safe
// check: error
extern void reach_error(void);
extern unsigned input(void);
extern void *malloc(unsigned long);
static char *copy(char *to, const char *from) {
    char *end = to;
    while ((*end++ = *from++))
        ;
    return to;
}
static unsigned long length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}
int main(void) {
    unsigned long size = input(), k = input();
    if (size == 0)
        return 0;
    char *from = malloc(size), *to = malloc(size);
    if (!from || !to)
        return 0;
    for (unsigned long i = 0; i < size - 1; i++)
        from[i] = (char)input();
    from[size - 1] = 0;
    copy(to, from);
    unsigned long n = length(from);
    if (n >= size || to[n] != 0 || (k <= n && to[k] != from[k]))
        reach_error();
}
