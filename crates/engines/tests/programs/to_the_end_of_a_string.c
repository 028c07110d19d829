// engine: frames  verdict: safe
// check: error memory
// What a loop changes is guessed about: here, that it does not pass the end.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

int main(void)
{
    unsigned long size = any(), length = any(), i = 0;
    if (size > 1000000 || length >= size)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    text[length] = 0;
    while (text[i] != 0)
        i++;
    if (i > length)
        reach_error();
    return 0;
}
