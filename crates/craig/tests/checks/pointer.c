// --check pointer --malloc-never-fails
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[10], b[4];
    int n = 0;
    for (int *p = a; p < a + 10; p++)
        n++;
    if (__VERIFIER_nondet_int())
        return *(a - 1); // unsafe: pointer out of its object in `a - 1`
    char *m = malloc(10), *end = m + 10, *at = m;
    while (at != end)
        at++;
    if (__VERIFIER_nondet_int())
        at++; // unsafe: pointer out of its object in `at++`
    if (__VERIFIER_nondet_int())
        return a < b; // unsafe: comparison of pointers into different objects in `a < b`
    free(m);
    return end - m;
}
