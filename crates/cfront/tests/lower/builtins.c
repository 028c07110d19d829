// returns 0
int main(void) {
    unsigned x = 0x00f0;
    if (__builtin_clz(x) != 24 || __builtin_ctz(x) != 4 || __builtin_popcount(x) != 4 || __builtin_ffs(0) != 0)
        return 1;
    if (__builtin_bswap32(0x01020304u) != 0x04030201u || __builtin_bswap16(0x0102) != 0x0201)
        return 2;
    int result;
    if (__builtin_add_overflow(1, 2, &result) || result != 3)
        return 3;
    if (!__builtin_mul_overflow(1 << 20, 1 << 20, &result))
        return 4;
    int n = 5;
    if (__sync_fetch_and_add(&n, 2) != 5 || n != 7)
        return 5;
    if (!__sync_bool_compare_and_swap(&n, 7, 9) || n != 9)
        return 6;
    int size = 3;
    int variable[size];
    for (int i = 0; i < size; i++)
        variable[i] = i;
    if (variable[2] != 2 || sizeof variable != 3 * sizeof(int))
        return 7;
    unsigned long wide;
    int narrow;
    if (!__builtin_sadd_overflow(2147483647, 1, &narrow) || narrow != -2147483647 - 1)
        return 90;
    if (__builtin_umull_overflow(3, 4, &wide) || wide != 12 || !__builtin_usubl_overflow(0, 1, &wide))
        return 91;
    if (__builtin_expect(n == 9, 1))
        return __builtin_constant_p(3) ? 0 : 8;
    return 9;
}
