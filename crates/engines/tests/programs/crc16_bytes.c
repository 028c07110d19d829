// CRC-16 over any number of bytes, in a word of 32 bits: it stays within 16.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned crc = 0xffff;
    while (__VERIFIER_nondet_int()) {
        crc ^= (unsigned)__VERIFIER_nondet_uchar() << 8;
        for (int i = 0; i < 8; i++)
            crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
    if (crc > 0xffff) reach_error();
    return 0;
}
