/* Like linked_list.c, but zero is let in. */
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t size);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    struct node *node;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (value < 0)
            continue;
        node = malloc(sizeof *node);
        if (!node)
            return 0;
        node->value = value;
        node->next = list;
        list = node;
    }
    for (node = list; node; node = node->next)
        if (node->value <= 0)
            reach_error();
    return 0;
}
