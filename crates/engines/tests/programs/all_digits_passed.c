// engine: frames  verdict: safe
// check: error memory
// What a loop asks of each cell is asked by a function with two comparisons; the first cell that was passed is a digit.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int skip(const char *text, unsigned long *start, unsigned long max)
{
    unsigned long i, before = *start;
    for (i = *start; i < max; i++)
        if (!is_digit(text[i]))
            break;
    if (i > before)
        *start = i;
    return i > before;
}

int main(void)
{
    unsigned long max = any(), old, *start;
    char *text;
    if (max == 0 || max > 100000)
        return 0;
    text = malloc(max);
    start = malloc(sizeof *start);
    if (!text || !start)
        return 0;
    old = *start = any();
    if (skip(text, start, max) && (*start > max || text[old] < '0' || text[old] > '9'))
        reach_error();
    return 0;
}
