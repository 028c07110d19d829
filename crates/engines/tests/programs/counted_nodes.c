// How many nodes there are is known for the first few only. That an allocation may fail is asked nowhere: then the run ends.
// check: error
// engine: houdini  verdict: safe
#include <stdlib.h>
extern int input(void);
extern void reach_error(void);
struct node {
    struct node *next;
    int number;
};
int main(void) {
    struct node *first = malloc(sizeof *first), *last = first;
    int status = 0;
    last->next = 0;
    last->number = 0;
    while (input()) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->next = 0;
        if (status < 2)
            status++;
        last->number = status;
    }
    if (status == 1 && !first->next)
        reach_error();
    if (status == 2 && !first->next->next)
        reach_error();
}
