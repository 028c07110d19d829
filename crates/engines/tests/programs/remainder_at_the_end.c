// A checksum with one division at the end, a product and shifts that are undone: the same bits, without a search.
// engine: bits  verdict: safe  conflicts <= 10
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = 1, b = 0, c = 1, d = 0;
    for (int i = 0; i < 5; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        a = (a + byte) % 251;
        b = (b + a) % 251;
        c += byte;
        d += c;
    }
    if (a != c % 251 || b != d % 251)
        reach_error();
    unsigned x = __VERIFIER_nondet_uint(), y = x ^ x >> 16;
    y *= 0x85ebca6bu;
    y ^= y >> 13;
    y ^= y >> 13 ^ y >> 26;
    y *= 0xa5cb9243u;
    y ^= y >> 16;
    if (y != x)
        reach_error();
    return 0;
}
