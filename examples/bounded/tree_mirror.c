#include <assert.h>

// A tree of 4 nodes is mirrored: it comes out in the other order.
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
        at = value < (*at)->value ? &(*at)->left : &(*at)->right;
    *at = make(value);
}

int main(void) {
    struct node *root = 0, *stack[5], *node;
    int depth = 0, count = 0, last = 0;
    for (int i = 0; i < 4; i++)
        insert(&root, __VERIFIER_nondet_int());
    stack[depth++] = root;
    while (depth > 0) {
        node = stack[--depth];
        struct node *left = node->left;
        node->left = node->right;
        node->right = left;
        if (node->left)
            stack[depth++] = node->left;
        if (node->right)
            stack[depth++] = node->right;
    }
    node = root;
    while (node || depth > 0) {
        while (node) {
            stack[depth++] = node;
            node = node->left;
        }
        node = stack[--depth];
        assert(count == 0 || last >= node->value);
        last = node->value;
        count++;
        node = node->right;
    }
    assert(count == 4);
    return 0;
}
