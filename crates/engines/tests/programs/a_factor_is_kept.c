// engine: frames  verdict: safe
// check: error
// A number that nobody computes with is the integer with its bits, in memory of its own and among other bytes.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void abort(void);
extern void reach_error(void);

struct table {
    unsigned long size;
    double factor;
    char text[8];
};

static int is_valid(const struct table *t) { return t->factor == 0.95 && t->size > 1; }

static void clear(char *bytes, int n)
{
    for (int i = 0; i < n; i++)
        bytes[i] = 0;
}

int main(void)
{
    struct table *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    double *kept = malloc(sizeof *kept);
    if (!a || !b || !kept || !is_valid(a))
        abort();
    *kept = a->factor;
    clear(a->text, 8);
    clear((char *)b, sizeof *b);
    if (b->factor == 0.95)
        reach_error();
    *b = *a;
    if (!is_valid(b) || *kept != 0.95)
        reach_error();
    return 0;
}
