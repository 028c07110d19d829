// returns 0
// What gcc has beyond C: generic atomic operations, checks of overflow without a result, local labels,
// computed gotos.
static int constant = (int){42};
static const float infinite = 1.0f / 0.0f, no_number = 0.0f * (1.0f / 0.0f);

struct pair {
    int first, second;
};

static int atomics(void) {
    int x = 1, y = 2, z = 0, expected = 5;
    unsigned char flag = 0;
    struct pair a = {3, 4}, b = {0, 0};
    __atomic_load(&x, &z, 5);
    __atomic_store(&x, &y, 5);
    if (z != 1 || x != 2)
        return 1;
    __atomic_exchange(&x, &z, &y, 5);
    if (x != 1 || y != 2)
        return 2;
    if (__atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5) || expected != 1 || x != 1)
        return 3;
    if (!__atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5) || x != 9)
        return 4;
    expected = 9;
    if (!__atomic_compare_exchange(&x, &expected, &y, 1, 5, 5) || x != 2)
        return 5;
    if (__atomic_test_and_set(&flag, 5) || !__atomic_test_and_set(&flag, 5))
        return 6;
    __atomic_clear(&flag, 5);
    __atomic_load(&a, &b, 5);
    return flag != 0 || b.second != 4;
}

static int local_labels(void) {
    int x = 0;
here:
    x++;
    {
        __label__ here, unused;
        goto here;
        x = 10;
    here:
        if (x == 10)
            return 1;
    }
    if (x < 2)
        goto here;
    return 0;
}

static int computed_goto(int start) {
    static void *const table[] = {&&first, &&second, &&end};
    void *next = table[start];
    int sum = 0;
    goto *next;
first:
    sum += 1;
    next = &&end;
    goto *next;
second:
    sum += 10;
    goto *table[0];
end:
    return sum;
}

typedef __typeof__(((__builtin_va_list *)0)[0][0]) list_element;

static int second(int first, ...) {
    list_element list[1];
    __builtin_va_start(list, first);
    int found = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return found;
}

struct bits {
    unsigned nine : 9;
} bits;

int main(void) {
    int big = 0x7fffffff;
    if (constant != 42 || !(infinite > 1e38f) || no_number == no_number)
        return 20;
    if (!__builtin_add_overflow_p(big, 1, 0) || __builtin_add_overflow_p(big, 1, 0ll) ||
        !__builtin_mul_overflow_p(100, 3, (unsigned char)0) || __builtin_sub_overflow_p(0, 1, 0))
        return 21;
    if (!__builtin_signbit(-0.0) || __builtin_signbit(1.0f) || !__builtin_isnormal(1.0) ||
        __builtin_isnormal(1e-310) || __builtin_isnormal(__builtin_inf()) ||
        __builtin_isinf_sign(-__builtin_inf()) != -1)
        return 22;
    if (local_labels())
        return 23;
    if (second(1, 2) != 2 || sizeof(++bits.nine) != 2 || sizeof(0, bits.nine) != 2 || sizeof(+bits.nine) != 4)
        return 25;
    if (computed_goto(0) != 1 || computed_goto(1) != 11 || computed_goto(2) != 0)
        return 24;
    return atomics();
}
