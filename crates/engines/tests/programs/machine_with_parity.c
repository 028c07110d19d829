// engine: partitioning  verdict: unsafe
// Whether a step fails depends on a relation that intervals do not know; the one after seven steps does.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int expected = 0, buffered = 0;
    while (1) {
        int bit = __VERIFIER_nondet_int(), in = __VERIFIER_nondet_int();
        if (in == 1 && bit % 2 == expected % 2) {
            if (bit % 2 != expected % 2)
                reach_error();
            expected++;
            buffered = 1;
        } else if (in == 2 && buffered) {
            buffered = 0;
            if (expected == 4)
                expected = -3;
            if (expected == -1 && bit == expected % 2)
                reach_error();
        }
    }
}
