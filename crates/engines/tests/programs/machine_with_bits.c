// engine: partitioning  verdict: safe
// Operations on bits are only approximated in formulas: what intervals know of them is asked for once more.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned state = 1;
    while (1) {
        unsigned in = __VERIFIER_nondet_uint();
        if (state == 1)
            state = 4 + (in & 3);
        else if (state >= 4)
            state = 1;
        else
            reach_error();
    }
}
