// --check alignment --malloc-never-fails
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char *m = malloc(64);
    unsigned i = __VERIFIER_nondet_uint() % 10;
    *(int *)(m + 4 * i) = 1;
    if (__VERIFIER_nondet_uint())
        *(int *)(m + i) = 1; // unsafe: `(int *)(m + i)` is not aligned to 4 bytes
    free(m);
    return 0;
}
