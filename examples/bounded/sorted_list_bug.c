#include <assert.h>

// 5 numbers put into a sorted list.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->value = value;
    node->next = list;
    return node;
}

int main(void) {
    struct node *list = 0;
    int count = 0;
    for (int i = 0; i < 5; i++) {
        int value = __VERIFIER_nondet_int();
        struct node **at = list && value < 0 ? &list->next : &list;
        while (*at && (*at)->value < value)
            at = &(*at)->next;
        *at = push(*at, value);
    }
    for (struct node *node = list; node; node = node->next) {
        assert(!node->next || node->value <= node->next->value);
        count++;
    }
    assert(count == 5);
    return 0;
}
