// engine: frames  verdict: safe
// check: error
// Beyond its end the loop has no round, and after a round it is not beyond its end.
extern void reach_error(void);
extern unsigned long any(void);

int main(void)
{
    unsigned long start = any(), max = any(), i;
    for (i = start; i < max; i++)
        if (any())
            break;
    if (i < start || (start < max ? i > max : i != start))
        reach_error();
    return 0;
}
