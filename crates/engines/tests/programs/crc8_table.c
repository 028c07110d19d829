// CRC-8 by a table of nibbles: linear in the first byte, so two streams that differ there differ for ever.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static const unsigned char table[16] = {0, 7, 14, 9, 28, 27, 18, 21, 56, 63, 54, 49, 36, 35, 42, 45};
static unsigned char step(unsigned char crc, unsigned char byte) {
    crc ^= byte;
    crc = (unsigned char)(crc << 4) ^ table[crc >> 4];
    crc = (unsigned char)(crc << 4) ^ table[crc >> 4];
    return crc;
}
int main(void) {
    unsigned char a = 0, b = 1;
    while (__VERIFIER_nondet_int()) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        a = step(a, byte);
        b = step(b, byte);
        if (a == b) reach_error();
    }
    return 0;
}
