// engine: acceleration  verdict: unsafe
// A million rounds, and an input that says how many: found by the closed form, not by unwinding.
extern void reach_error(void);
extern unsigned input(void);

int main(void)
{
    unsigned n = input(), i = 0, s = 0;
    while (i < n) {
        i++;
        s += 2;
    }
    if (i > 100000 && s == 2000006)
        reach_error();
    return 0;
}
