// --check error
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

// Nothing goes on after a write to a constant, whether that is checked or not.
int main(void) {
    static const int c[2] = {1, 2};
    int *p = (int *)c, in = __VERIFIER_nondet_int();
    if (in > 3)
        p[1] = 5;
    assert(c[1] == 2 && in <= 3);
    return 0;
}
