// The CRC of a sum is the sum of the CRCs, for texts of any length.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned char crc8(unsigned char crc, unsigned char byte) {
    crc ^= byte;
    for (int i = 0; i < 8; i++)
        crc = crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1;
    return crc;
}
int main(void) {
    unsigned char a = 0, b = 0, c = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
        a = crc8(a, x);
        b = crc8(b, y);
        c = crc8(c, x ^ y);
    }
    if (c != (a ^ b)) reach_error();
    return 0;
}
