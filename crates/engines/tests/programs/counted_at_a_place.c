// engine: frames  verdict: safe
// check: error memory
// One loop writes to an array and to a number beside it: all else is as it was.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

struct table {
    unsigned long filled;
    unsigned long *slots;
    unsigned long kept;
};

int main(void)
{
    unsigned long size = any(), i;
    struct table *table = malloc(sizeof *table);
    if (!table || size > 1000000)
        return 0;
    table->filled = 0;
    table->kept = size;
    table->slots = malloc(size * sizeof *table->slots);
    if (!table->slots)
        return 0;
    for (i = 0; i < size; i++) {
        table->slots[i] = i;
        table->filled++;
    }
    if (table->kept != size || table->filled > size)
        reach_error();
    return 0;
}
