#include <assert.h>

// Of 4 numbers in a search tree each is found, and another only if it is one of them.
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

static int find(struct node *node, int value) {
    while (node && node->value != value)
        node = value < node->value ? node->left : node->right;
    return node != 0;
}

int main(void) {
    struct node *root = 0;
    int values[4], other = __VERIFIER_nondet_int(), is_one = 0;
    for (int i = 0; i < 4; i++) {
        values[i] = __VERIFIER_nondet_int();
        is_one |= values[i] == other;
        insert(&root, values[i]);
    }
    for (int i = 0; i < 4; i++)
        assert(find(root, values[i]));
    assert(find(root, other) == is_one);
    return 0;
}
