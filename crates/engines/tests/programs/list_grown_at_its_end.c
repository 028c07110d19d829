// What holds of all nodes of a list still holds when it is turned around, long after the last was allocated.
// engine: houdini  verdict: safe
#include <stdlib.h>
extern int input(void);
extern void reach_error(void);
struct node {
    int value;
    struct node *next;
};
int main(void) {
    struct node *first = malloc(sizeof *first), *last = first, *turned = 0;
    if (!first)
        return 0;
    while (input()) {
        last->value = 42;
        last->next = malloc(sizeof *first);
        if (!last->next)
            return 0;
        last = last->next;
    }
    last->value = 42;
    last->next = 0;
    while (first) {
        struct node *next = first->next;
        first->next = turned;
        turned = first;
        first = next;
    }
    for (; turned; turned = turned->next)
        if (turned->value != 42)
            reach_error();
}
