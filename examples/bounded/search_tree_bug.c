#include <assert.h>

// 4 numbers in a search tree come out in order.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *left, *right;
};

static struct node *make(int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->value = value;
    node->left = node->right = 0;
    return node;
}

static void insert(struct node **at, int value) {
    while (*at)
        at = (int)((unsigned)value - (unsigned)(*at)->value) < 0 ? &(*at)->left : &(*at)->right;
    *at = make(value);
}

int main(void) {
    struct node *root = 0, *stack[4], *node;
    int depth = 0, count = 0, last = 0;
    for (int i = 0; i < 4; i++)
        insert(&root, __VERIFIER_nondet_int());
    node = root;
    while (node || depth > 0) {
        while (node) {
            assert(depth < 4);
            stack[depth++] = node;
            node = node->left;
        }
        node = stack[--depth];
        assert(count == 0 || last <= node->value);
        last = node->value;
        count++;
        node = node->right;
    }
    assert(count == 4);
    return 0;
}
