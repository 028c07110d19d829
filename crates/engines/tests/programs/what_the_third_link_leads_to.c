// Each element of a list that goes both ways has another object or none, which has no links itself.
// check: error
// engine: houdini  verdict: safe
#include <stdlib.h>
extern int input(void);
extern void reach_error(void);
struct node {
    struct node *next, *prev, *inner;
};
static struct node *make(void) {
    struct node *new = malloc(sizeof *new);
    if (!new)
        exit(1);
    new->next = 0;
    new->prev = 0;
    new->inner = 0;
    return new;
}
int main(void) {
    struct node *list = 0;
    while (input()) {
        struct node *new = make();
        new->next = list;
        if (list)
            list->prev = new;
        while (input())
            new->inner = make();
        list = new;
    }
    for (struct node *p = list; p; p = p->next) {
        if (p->prev == p)
            reach_error();
        if (p->inner && (p->inner->inner || p->inner->prev))
            reach_error();
    }
}
