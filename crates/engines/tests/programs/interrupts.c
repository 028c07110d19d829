// Interrupts: what is active was pending and enabled; the lowest one is served.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned enabled = 0xff, pending = 0, active = 0;
    while (1) {
        pending |= __VERIFIER_nondet_uint() & 0xffff;
        enabled = (enabled ^ __VERIFIER_nondet_uint()) & 0xffff;
        active = pending & enabled;
        unsigned lowest = active & -active;
        pending &= ~lowest;
        if (lowest & (lowest - 1)) reach_error();
        if (lowest > 0x8000 || (lowest & ~enabled)) reach_error();
    }
}
