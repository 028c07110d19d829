#include <assert.h>

// Two sorted lists, of 3 nodes and of 2, become one.
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
    struct node *a = 0, *b = 0, *merged = 0, **end = &merged;
    for (int i = 0; i < 3; i++) {
        int value = __VERIFIER_nondet_int();
        if (a && value > a->value)
            return 0;
        a = push(a, value);
    }
    for (int i = 0; i < 2; i++) {
        int value = __VERIFIER_nondet_int();
        if (b && value > b->value)
            return 0;
        b = push(b, value);
    }
    while (a || b) {
        struct node **from = a && (!b || a->value <= b->value) ? &a : &b;
        *end = *from;
        *from = (*from)->next;
        end = &(*end)->next;
    }
    *end = 0;
    int count = 0;
    for (struct node *node = merged; node; node = node->next) {
        assert(!node->next || node->value <= node->next->value);
        count++;
    }
    assert(count == 5);
    return 0;
}
