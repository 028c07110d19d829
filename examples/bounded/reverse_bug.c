#include <assert.h>

// A list of up to 5 nodes reversed.
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
    int values[5], count = __VERIFIER_nondet_int();
    struct node *list = 0, *reversed = 0;
    if (count < 0 || count > 5)
        return 0;
    for (int i = 0; i < count; i++) {
        values[i] = __VERIFIER_nondet_int();
        list = push(list, values[i]);
    }
    while (list && list->next) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    for (int i = 0; i < count; i++) {
        assert(reversed && reversed->value == values[i]);
        reversed = reversed->next;
    }
    assert(!reversed);
    return 0;
}
