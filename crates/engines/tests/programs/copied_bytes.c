// Pointers move along two arrays, and a number counts down; data show how they are related.
// engine: houdini  verdict: safe
extern void reach_error(void);
extern unsigned input(void);
unsigned char to[65536], from[65536];
static void *copy(void *to, const void *from, unsigned long n) {
    unsigned char *p = to;
    const unsigned char *q = from;
    while (n--)
        *p++ = *q++;
    return to;
}
int main(void) {
    unsigned long n = input(), k = input();
    if (n > 65536)
        return 0;
    for (unsigned long i = 0; i < 65536; i++)
        from[i] = (unsigned char)input();
    copy(to, from, n);
    if (k < n && to[k] != from[k])
        reach_error();
}
