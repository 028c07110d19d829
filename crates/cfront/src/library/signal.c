// <signal.h>: sets of signals. Handlers are refused, as they may run at any time.

typedef __typeof__(sizeof(0)) size_t;

int *__craig___errno_location(void);

enum { SIGNALS = 65, EINVAL = 22 };

static _Bool __craig_is_signal(int number) {
    // Two are kept by the library.
    if (0 < number && number < SIGNALS && number != 32 && number != 33)
        return 1;
    *__craig___errno_location() = EINVAL;
    return 0;
}

int __craig_sigemptyset(unsigned long *set) {
    size_t i;
    for (i = 0; i < 128 / sizeof(long); i++)
        set[i] = 0;
    return 0;
}

int __craig_sigfillset(unsigned long *set) {
    size_t i;
    for (i = 0; i < 128 / sizeof(long); i++)
        set[i] = ~0ul;
    return 0;
}

int __craig_sigaddset(unsigned long *set, int number) {
    size_t bits = 8 * sizeof(long);
    if (!__craig_is_signal(number))
        return -1;
    set[(size_t)(number - 1) / bits] |= 1ul << ((size_t)(number - 1) % bits);
    return 0;
}

int __craig_sigdelset(unsigned long *set, int number) {
    size_t bits = 8 * sizeof(long);
    if (!__craig_is_signal(number))
        return -1;
    set[(size_t)(number - 1) / bits] &= ~(1ul << ((size_t)(number - 1) % bits));
    return 0;
}

int __craig_sigismember(const unsigned long *set, int number) {
    size_t bits = 8 * sizeof(long);
    if (!__craig_is_signal(number))
        return -1;
    return (set[(size_t)(number - 1) / bits] >> ((size_t)(number - 1) % bits)) & 1;
}
