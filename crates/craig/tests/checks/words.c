// --check memory,division,shift,overflow
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
} only, *list = &only;

int main(void) {
    int buf[4] = {0}, i = __VERIFIER_nondet_int();
    char small[4], text[] = "hello";
    struct node *p = malloc(sizeof *p);
    switch (__VERIFIER_nondet_int()) {
    case 1:
        buf[i] = 3; // unsafe: invalid write of `buf[i]`: 0 <= i < 4 must hold
        break;
    case 2:
        p->next = 0; // unsafe: invalid write of `p->next`: `p` must point to an object
        break;
    case 3:
        return i / buf[0]; // unsafe: division by zero in `i / buf[0]`
    case 4:
        return 1 << i; // unsafe: shift out of range in `1 << i`
    case 5:
        i++; // unsafe: signed overflow in `i++`
        break;
    case 6:
        strcpy(small, text); // unsafe: invalid write in `strcpy`
        break;
    case 7:
        memset(small, 0, 5); // unsafe: invalid write of bytes by `memset`
        break;
    case 8:
        memcpy(text, text + 1, 3); // unsafe: `memcpy` between objects that overlap
        break;
    case 9:
        free(small); // unsafe: invalid free of `small`
        break;
    default:
        return list->next->value; // unsafe: invalid read of `list->next->value`: `list->next` must point to an object
    }
    return 0;
}
