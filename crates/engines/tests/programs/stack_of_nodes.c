// Nodes of a tree on a stack whose elements were never written before: what is read from it is one of the nodes, and no run comes
// to the loops more often than there are nodes.
// engine: bits  verdict: safe  gates <= 10000
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *left, *right;
};

int main(void) {
    struct node nodes[3], *root = 0, *stack[3];
    for (int i = 0; i < 3; i++) {
        struct node **at = &root;
        nodes[i].value = __VERIFIER_nondet_int();
        nodes[i].left = nodes[i].right = 0;
        while (*at)
            at = nodes[i].value < (*at)->value ? &(*at)->left : &(*at)->right;
        *at = &nodes[i];
    }
    int depth = 0, count = 0, last = 0;
    struct node *node = root;
    while (node || depth > 0) {
        while (node) {
            stack[depth++] = node;
            node = node->left;
        }
        node = stack[--depth];
        if (count > 0 && last > node->value)
            reach_error();
        last = node->value;
        count++;
        node = node->right;
    }
    if (count != 3)
        reach_error();
    return 0;
}
