// strlen by its source, against what it is for: the first zero of any string.
// check: error memory
// engine: frames  verdict: safe
#include <stdlib.h>
extern unsigned input(void);
extern void reach_error(void);
static unsigned long length(const char *s) {
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}
int main(void) {
    unsigned long size = input(), k = input();
    if (size == 0)
        return 0;
    char *s = malloc(size);
    if (!s)
        return 0;
    for (unsigned long i = 0; i < size - 1; i++)
        s[i] = (char)input();
    s[size - 1] = 0;
    unsigned long n = length(s);
    if (n >= size || s[n] != 0 || (k < n && s[k] == 0))
        reach_error();
    free(s);
}
