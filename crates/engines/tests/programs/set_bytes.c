// memset by its source, against what it is for, of any length.
// check: error memory
// engine: frames  verdict: safe
#include <stdlib.h>
extern unsigned input(void);
extern void reach_error(void);
static void *set(void *to, int c, unsigned long n) {
    unsigned char *p = to;
    while (n--)
        *p++ = (unsigned char)c;
    return to;
}
int main(void) {
    unsigned long n = input(), k = input();
    int c = (int)input();
    unsigned char *to = malloc(n);
    if (!to)
        return 0;
    if (set(to, c, n) != to)
        reach_error();
    if (k < n && to[k] != (unsigned char)c)
        reach_error();
    free(to);
}
