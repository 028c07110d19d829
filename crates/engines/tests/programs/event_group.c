// An event group: bits that someone waits for are never signalled afterwards.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned short signalled = 0, wanted = 0;
    while (1) {
        unsigned short mask = __VERIFIER_nondet_uint();
        if (__VERIFIER_nondet_int()) signalled |= mask;
        else wanted |= mask;
        unsigned short met = signalled & wanted;
        signalled &= ~met;
        wanted ^= met;
        if (signalled & wanted) reach_error();
    }
}
