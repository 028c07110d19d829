// A list with links both ways is turned around by exchanging the links of each node.
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
        if (list)
            list->prev = new;
        else
            oldest = new;
        list = new;
    } while (input());
    for (struct node *p = list; p;) {
        struct node *next = p->next;
        p->next = p->prev;
        p->prev = next;
        p = next;
    }
    for (struct node *p = oldest; p != list; p = p->next)
        if (!p)
            reach_error();
}
