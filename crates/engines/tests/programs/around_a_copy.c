// engine: frames  verdict: safe
// check: error memory
// What a loop does not change is known after it as it was before: products, and what flags stand for.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

struct list {
    unsigned long size, length, item;
    unsigned char *data;
};

static int is_valid(const struct list *list)
{
    int fits = list->length * list->item <= list->size && list->length <= 1000 && list->item <= 1000;
    int has_data = list->size == 0 || list->data != 0;
    return fits && has_data;
}

int main(void)
{
    struct list list = {any(), any(), any(), 0};
    if (list.size > 1000000)
        return 0;
    list.data = malloc(list.size);
    if (!is_valid(&list))
        return 0;
    for (unsigned long i = 0; i < list.size; i++)
        list.data[i] = (unsigned char)i;
    if (!is_valid(&list))
        reach_error();
    return 0;
}
