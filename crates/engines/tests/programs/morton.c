// Two counters interleaved bit by bit, by addition in the gaps.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned even = 0, odd = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) even = (even - 0x55555555u) & 0x55555555u;
        else odd = (odd - 0xaaaaaaaau) & 0xaaaaaaaau;
        if (even & odd) reach_error();
        if ((even | odd) != (even ^ odd)) reach_error();
    }
}
