/* Flags in one byte: setting or clearing one leaves the others alone. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

#define READY 1u
#define BUSY 2u
#define ERROR 4u

int main(void) {
    unsigned char flags = READY;
    while (__VERIFIER_nondet_uint()) {
        unsigned char before = flags;
        if (__VERIFIER_nondet_uint() & 1u) {
            flags |= BUSY;
            if (!(flags & BUSY))
                reach_error();
        } else {
            flags &= (unsigned char)~BUSY;
            if (flags & BUSY)
                reach_error();
        }
        if ((flags & ~BUSY) != (before & ~BUSY))
            reach_error();
        if (!(flags & READY) || (flags & ERROR))
            reach_error();
    }
    return 0;
}
