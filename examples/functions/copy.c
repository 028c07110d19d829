// Two pointers may point into one object, unless one of them is fresh.
//
// unsafe: --entry copy --requires 'valid(to, n) && valid(from, n) && n <= 4'
// safe: --entry copy --requires 'fresh(to, n) && valid(from, n) && n <= 4'
#include <assert.h>
#include <stddef.h>

void copy(char *to, const char *from, size_t n) {
    char first = n ? from[0] : 0;
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    if (n)
        assert(from[0] == first);
}
