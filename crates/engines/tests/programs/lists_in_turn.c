// Two lists of different kinds, whose nodes are allocated in turn: what holds of one kind is no matter of the other.
// engine: houdini  verdict: safe
#include <stdlib.h>
extern int input(void);
extern void reach_error(void);
struct part {
    int value;
    struct part *next, *before;
};
struct whole {
    struct part *first;
    struct whole *next;
};
int main(void) {
    struct part *parts = 0;
    struct whole *wholes = 0;
    while (input()) {
        struct part *part = malloc(sizeof *part);
        struct whole *whole = malloc(sizeof *whole);
        if (!part || !whole)
            return 0;
        part->value = 1;
        part->before = 0;
        part->next = parts;
        if (parts)
            parts->before = part;
        parts = part;
        whole->first = part;
        whole->next = wholes;
        wholes = whole;
    }
    for (; wholes; wholes = wholes->next)
        if (wholes->first->value != 1)
            reach_error();
    for (; parts && parts->next; parts = parts->next)
        if (parts->next->before != parts)
            reach_error();
}
