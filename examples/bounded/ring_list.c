#include <assert.h>

// A ring of nodes with links both ways, after 5 changes of any kind.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next, *previous;
};

static struct node head;

static void insert_after(struct node *where, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->value = value;
    node->next = where->next;
    node->previous = where;
    where->next->previous = node;
    where->next = node;
}

static void unlink_node(struct node *node) {
    node->previous->next = node->next;
    node->next->previous = node->previous;
    free(node);
}

int main(void) {
    head.next = head.previous = &head;
    for (int i = 0; i < 5; i++) {
        int what = __VERIFIER_nondet_int();
        if (what == 0 && head.next != &head)
            unlink_node(head.next);
        else if (what == 1 && head.previous != &head)
            unlink_node(head.previous);
        else if (what > 1)
            insert_after(&head, what);
        else
            insert_after(head.previous, what);
    }
    assert(head.next->previous == &head);
    int count = 0;
    for (struct node *node = head.next; node != &head; node = node->next) {
        assert(node->next->previous == node && node->previous->next == node);
        count++;
        assert(count <= 5);
    }
    return 0;
}
