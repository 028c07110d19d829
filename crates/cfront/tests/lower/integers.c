// returns 0
// no memory
int main(void) {
    unsigned u = 0;
    if (u - 1 != 4294967295u)
        return 1;
    signed char c = (signed char)200;
    if (c != -56)
        return 2;
    unsigned short s = 65535;
    s++;
    if (s != 0)
        return 3;
    if (-1 < 1u)
        return 4;
    long long big = 1LL << 40;
    if ((int)big != 0 || (unsigned char)(big >> 36) != 16)
        return 5;
    if (-7 / 2 != -3 || -7 % 2 != -1)
        return 6;
    if ((-8 >> 1) != -4)
        return 7;
    _Bool b = 256;
    if (b != 1 || !b)
        return 8;
    if ((char)'\xff' != -1)
        return 9;
    if (~0u != 0xffffffffu || (5 & 6) != 4 || (5 ^ 6) != 3)
        return 10;
    unsigned long long product = 4294967295ull * 4294967295ull;
    if (product != 18446744065119617025ull)
        return 11;
    int shifted = 1;
    shifted <<= 30;
    if (shifted != 1073741824)
        return 12;
    enum { RED, GREEN = 5, BLUE } colour = BLUE;
    if (colour != 6)
        return 13;
    return (u == 0) + (u == 0) - 2;
}
