// --check uninitialised --malloc-never-fails
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    char first;
    int second;
};

int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i]; // unsafe: `a[i]` is read and was never written
    return s;
}

int main(void) {
    int x, y, known[10], *some = malloc(10 * sizeof *some);
    struct pair p, q;
    p.first = 1;
    q = p;
    for (int i = 0; i < 10; i++)
        known[i] = i;
    for (int i = 0; i < 9; i++)
        some[i] = i;
    char text[8];
    if (__VERIFIER_nondet_int())
        strcpy(text, "hello");
    int all = known[3] + q.first + strlen(text); // unsafe: read of what was never written in `strlen`
    if (__VERIFIER_nondet_int())
        x = 1;
    if (all && 0)
        all = x + y;
    all += sum(some, 10);
    free(some);
    return all + x; // unsafe: `x` is read and was never written
}
