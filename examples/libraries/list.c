// A singly linked list of any length.
//
// safe: --entry use_list
// safe: --entry list_first
// unsafe: -DBUG1 --entry use_list
// unsafe: -DBUG2 --entry use_list
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list_push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->value = value;
    node->next = list;
    return node;
}

/* Without the first node of that value. */
static struct node *list_remove(struct node *list, int value) {
    struct node *node = list, *before = NULL;
    while (node && node->value != value) {
        before = node;
        node = node->next;
    }
    if (!node)
        return list;
    if (before)
        before->next = node->next;
    else
        list = node->next;
    free(node);
#ifdef BUG1 /* what was freed is looked at once more */
    if (node->next == NULL)
        return list;
#endif
    return list;
}

static void list_free(struct node *list) {
    while (list) {
#ifdef BUG2 /* the next one is read from a node that is gone */
        free(list);
        list = list->next;
#else
        struct node *next = list->next;
        free(list);
        list = next;
#endif
    }
}

int list_first(const struct node *list, int otherwise) {
    return list ? list->value : otherwise;
}

/* A list of n numbers, one of which is taken out. */
void use_list(unsigned n, int value) {
    struct node *list = NULL;
    unsigned i;
    for (i = 0; i < n; i++)
        list = list_push(list, (int)(i % 100));
    list = list_remove(list, value);
    list_free(list);
}
