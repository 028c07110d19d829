// engine: frames  verdict: safe
// check: error
// Which bits two numbers have in common is not known; but it is the same for the same numbers, wherever they are.
extern void reach_error(void);
extern unsigned long any(void);

struct table {
    unsigned long size, used, slot;
};

static int is_valid(const struct table *t)
{
    return t->size != 0 && (t->size & (t->size - 1)) == 0 && t->used <= t->size;
}

int main(void)
{
    struct table t = {any(), any(), any()};
    if (!is_valid(&t))
        return 0;
    for (t.slot = 0; t.slot < t.used; t.slot++)
        if (any())
            break;
    if (!is_valid(&t))
        reach_error();
    return 0;
}
