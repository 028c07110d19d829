// engine: frames  verdict: safe
// check: error memory
// Each round has an object of its own, so that the tracked object may be one of these; what there was before the loop is as it was.
extern unsigned long any(void);
extern void *malloc(unsigned long);

static unsigned char digit(char c)
{
    union {
        char c;
        unsigned char u;
    } n;
    n.c = c;
    if (n.c >= '0' && n.c <= '9')
        n.c -= '0';
    else
        n.u = 16;
    return n.u;
}

int main(void)
{
    unsigned long max = any(), i, *end;
    unsigned sum = 0;
    char *text;
    if (max == 0 || max > 100000)
        return 0;
    text = malloc(max);
    end = malloc(sizeof *end);
    if (!text || !end)
        return 0;
    for (i = 0; i < max && text[i] >= '0'; i++)
        sum += digit(text[i]);
    *end = i;
    return (int)(sum & 1);
}
