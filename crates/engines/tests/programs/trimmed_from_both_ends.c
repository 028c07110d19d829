// engine: frames  verdict: safe
// check: error memory
// Fields of a struct whose address is taken are numbers that loops change: what one loses, the other gains. The
// address is computed in each round; it is the same in all of them, so that the rest of memory stays as it was.
extern void reach_error(void);
extern unsigned long any(void);
extern void *malloc(unsigned long);

struct cursor {
    unsigned long len;
    unsigned char *ptr;
};

static int is_valid(const struct cursor *c)
{
    return c != 0 && (c->len == 0 || c->ptr);
}

static void advance(struct cursor *c)
{
    --c->len;
    ++c->ptr;
}

int main(void)
{
    struct cursor c = {any(), 0}, trimmed;
    unsigned long i = any();
    unsigned char before;
    if (c.len > 1000000)
        return 0;
    c.ptr = malloc(c.len);
    if (!is_valid(&c) || i >= c.len)
        return 0;
    before = c.ptr[i];
    trimmed = c;
    while (trimmed.len > 0 && trimmed.ptr[trimmed.len - 1] == ' ')
        --trimmed.len;
    while (trimmed.len > 0 && *trimmed.ptr == ' ')
        advance(&trimmed);
    if (!is_valid(&c) || !is_valid(&trimmed) || trimmed.len > c.len || c.ptr[i] != before)
        reach_error();
    return 0;
}
