// A list grows at its front and is freed: links lead to older objects only, so that nothing is met again.
// check: memory leak
// engine: houdini  verdict: safe
#include <stdlib.h>
int nondet_int(void);
struct node {
    struct node *next;
};
int main(void) {
    struct node *list = 0;
    while (nondet_int()) {
        struct node *new = malloc(sizeof *new);
        if (!new)
            break;
        new->next = list;
        list = new;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
