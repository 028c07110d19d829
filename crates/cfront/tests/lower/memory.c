// returns 0
typedef __typeof__(sizeof 0) size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 5; i++)
        list = push(list, i);
    int sum = 0;
    for (struct node *n = list; n; n = n->next)
        sum += n->value;
    if (sum != 10)
        return 1;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    int n = 20;
    int *zeros = calloc(n, sizeof(int));
    for (int i = 0; i < n; i++)
        if (zeros[i])
            return 2;
    zeros[3] = 42;
    int *grown = realloc(zeros, 2 * n * sizeof(int));
    if (grown[3] != 42 || grown[19] != 0)
        return 3;
    char text[40];
    memset(text, 'x', sizeof text);
    if (text[0] != 'x' || text[39] != 'x')
        return 4;
    int from[30], to[30];
    for (int i = 0; i < 30; i++)
        from[i] = i * i;
    memcpy(to, from, sizeof from);
    if (to[29] != 841 || memcmp(to, from, sizeof to))
        return 5;
    memmove(to + 1, to, 29 * sizeof(int));
    if (to[1] != 0 || to[29] != 784 || to[5] != 16)
        return 6;
    memmove(to, to + 2, 28 * sizeof(int));
    if (to[0] != 1 || to[27] != 784)
        return 7;
    struct node one = {1, &one}, two;
    memcpy(&two, &one, sizeof two);
    if (two.next->value != 1)
        return 8;
    memset(&two, 0, sizeof two);
    if (two.next || two.value)
        return 9;
    return 0;
}
