// engine: partitioning  verdict: safe
// Numbers between two comparisons differ here: each value is a state.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int count = 0, full = 0;
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (in == 1 && !full)
            count += 2;
        if (count > 9)
            full = 1;
        if (in == 2 && full) {
            count = 0;
            full = 0;
        }
        if (count % 2 == 1)
            reach_error();
        if (full && count != 10)
            reach_error();
    }
}
