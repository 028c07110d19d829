// What clang has built in and gcc has not: `__builtin_bitreverse8` and the like.

unsigned long long __craig_clang_bitreverse64(unsigned long long x) {
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(x);
}

unsigned __craig_clang_bitreverse32(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

unsigned short __craig_clang_bitreverse16(unsigned short x) {
    return __craig_clang_bitreverse32(x) >> 16;
}

unsigned char __craig_clang_bitreverse8(unsigned char x) {
    return __craig_clang_bitreverse32(x) >> 24;
}

// The distance is taken modulo the width.
unsigned char __craig_clang_rotateleft8(unsigned char x, unsigned char n) {
    return x << (n & 7) | x >> (-n & 7);
}

unsigned char __craig_clang_rotateright8(unsigned char x, unsigned char n) {
    return x >> (n & 7) | x << (-n & 7);
}

unsigned short __craig_clang_rotateleft16(unsigned short x, unsigned short n) {
    return x << (n & 15) | x >> (-n & 15);
}

unsigned short __craig_clang_rotateright16(unsigned short x, unsigned short n) {
    return x >> (n & 15) | x << (-n & 15);
}

unsigned __craig_clang_rotateleft32(unsigned x, unsigned n) {
    return x << (n & 31) | x >> (-n & 31);
}

unsigned __craig_clang_rotateright32(unsigned x, unsigned n) {
    return x >> (n & 31) | x << (-n & 31);
}

unsigned long long __craig_clang_rotateleft64(unsigned long long x, unsigned long long n) {
    return x << (n & 63) | x >> (-n & 63);
}

unsigned long long __craig_clang_rotateright64(unsigned long long x, unsigned long long n) {
    return x >> (n & 63) | x << (-n & 63);
}
