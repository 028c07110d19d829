// engine: frames  verdict: safe
// check: error memory
// All that the loop has passed are digits: the first one too.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

int main(void)
{
    unsigned long size = any(), start = any(), i;
    if (size == 0 || size > 1000000)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    for (i = start; i < size; i++)
        if (text[i] < '0' || text[i] > '9')
            break;
    if (i > start && (text[start] < '0' || text[start] > '9'))
        reach_error();
    return 0;
}
