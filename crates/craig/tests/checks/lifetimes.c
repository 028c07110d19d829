// --check memory --malloc-never-fails
#include <alloca.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *g;

void with_alloca(int n) {
    int *p = alloca(n * sizeof(int));
    *p = 1;
    g = p;
}

void with_array(int n) {
    int a[n];
    a[0] = 1;
    g = a;
}

void in_loop(void) {
    for (int i = 0; i < 3; i++) {
        int a[i + 1];
        a[i] = 1;
        if (i == 1)
            g = a;
        if (i == 2)
            *g = 3; // unsafe: invalid write of `*g`: `g` must point to an object
    }
}

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 1:
        with_alloca(2);
        return *g; // unsafe: invalid read of `*g`: `g` must point to an object
    case 2:
        with_array(2);
        return *g; // unsafe: invalid read of `*g`: `g` must point to an object
    case 3:
        in_loop();
        break;
    default: {
        int *p = malloc(sizeof *p);
        free(p);
        g = malloc(sizeof *g);
        *g = 1;
        free(p); // unsafe: invalid free of `p`
    }
    }
    return 0;
}
