#include <assert.h>

// All nodes with a value are removed from a list of 5.
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
    int value = __VERIFIER_nondet_int(), others = 0;
    for (int i = 0; i < 5; i++) {
        int other = __VERIFIER_nondet_int();
        others += other != value;
        list = push(list, other);
    }
    struct node **at = &list;
    while (*at) {
        if ((*at)->value == value) {
            struct node *gone = *at;
            *at = gone->next;
            free(gone);
        } else
            at = &(*at)->next;
    }
    int count = 0;
    for (struct node *node = list; node; node = node->next) {
        assert(node->value != value);
        count++;
    }
    assert(count == others);
    return 0;
}
