// The length of a string: no byte before its end is zero, and there is an end.
// engine: houdini  verdict: safe
extern void reach_error(void);
extern unsigned input(void);
char text[65536];
static unsigned long length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}
int main(void) {
    for (unsigned long i = 0; i < 65535; i++)
        text[i] = (char)input();
    text[65535] = 0;
    unsigned long n = length(text), k = input();
    if (n > 65535 || text[n] != 0 || (k < n && text[k] == 0))
        reach_error();
}
