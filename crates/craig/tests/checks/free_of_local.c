// --check memory
#include <stdlib.h>

int main(void) {
    int x;
    free(&x); // unsafe: invalid free of `&x`
    return 0;
}
