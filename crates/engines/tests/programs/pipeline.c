// engine: bits-induction  verdict: safe  depth = 6
// What is in the pipeline at first has left it after five rounds, and it takes as many to see that: no bound holds of any stage
// in all rounds.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_error(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
    unsigned char d = __VERIFIER_nondet_uchar(), e = __VERIFIER_nondet_uchar();
    unsigned char rounds = 0;
    while (1) {
        e = d;
        d = c;
        c = b;
        b = a;
        a = __VERIFIER_nondet_uchar() & 55;
        if (rounds < 5)
            rounds++;
        else if (e & 8)
            __VERIFIER_error();
    }
}
