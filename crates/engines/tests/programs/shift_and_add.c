// engine: bits  verdict: safe
// Multiplication as it is done by hand: the product of the machine, though it is computed in another way.
unsigned __VERIFIER_nondet_uint(void);
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned short b = __VERIFIER_nondet_ushort();
    unsigned product = 0, shifted = a;
    for (unsigned short rest = b; rest; rest >>= 1) {
        if (rest & 1)
            product += shifted;
        shifted <<= 1;
    }
    if (product != a * b)
        __VERIFIER_error();
    return 0;
}
