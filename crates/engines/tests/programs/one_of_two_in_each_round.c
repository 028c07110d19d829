// engine: frames  verdict: unknown
// engine: random  verdict: unsafe
// check: error
// Which of two is written is chosen in each round, and what was chosen before is written: neither stays as it was.
extern void reach_error(void);
extern unsigned long any(void);

struct pair {
    int a, b;
};

static void set(int *to)
{
    *to = 1;
}

int main(void)
{
    struct pair p = {0, 0};
    int *last = &p.a;
    unsigned i;
    for (i = 0; i < 3; i++) {
        set(last);
        last = any() % 2 ? &p.a : &p.b;
    }
    if (p.b != 0)
        reach_error();
    return 0;
}
