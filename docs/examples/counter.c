/* A counter on the heap goes along with the loop: a proof needs `i == c->count`. */
#include <assert.h>
#include <stdlib.h>

extern int nondet_int(void);

struct counter {
    int count;
    int limit;
};

int main(void)
{
    int n = nondet_int();
    if (n < 1)
        return 0;
    struct counter *c = malloc(sizeof *c);
    if (!c)
        return 0;
    c->count = 0;
    c->limit = n;
    for (int i = 0; i < n; i++)
        c->count++;
    assert(c->count == c->limit);
    free(c);
    return 0;
}
