// A list gets links back, one node after the other: of those that were passed it holds, but for the newest one.
// check: error
// engine: houdini  verdict: safe
#include <stdlib.h>
extern int input(void);
extern void reach_error(void);
struct node {
    struct node *next, *prev;
};
int main(void) {
    struct node *list = 0, *oldest = 0;
    do {
        struct node *new = malloc(sizeof *new);
        if (!new)
            return 0;
        new->next = list;
        new->prev = 0;
        list = new;
        if (!oldest)
            oldest = new;
    } while (input());
    for (struct node *p = list; p->next; p = p->next)
        p->next->prev = p;
    for (struct node *p = oldest; p != list; p = p->prev)
        if (!p)
            reach_error();
}
