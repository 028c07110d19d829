// --check uninitialised
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[8];
    if (__VERIFIER_nondet_int())
        strcpy(text, "hello");
    return strlen(text); // unsafe: read of what was never written in `strlen`
}
