// <signal.h>: handlers are kept, and run where a signal is raised; nothing comes from outside.

typedef __typeof__(sizeof(0)) size_t;
typedef void (*handler)(int);

int *__craig___errno_location(void);
void _exit(int);

enum { SIGNALS = 65, EINVAL = 22, SIGCHLD = 17, SIGCONT = 18, SIGURG = 23, SIGWINCH = 28 };

// 0 is SIG_DFL, 1 SIG_IGN.
static handler __craig_handlers[SIGNALS];

static _Bool __craig_is_signal(int number) {
    // Two are kept by the library.
    if (0 < number && number < SIGNALS && number != 32 && number != 33)
        return 1;
    *__craig___errno_location() = EINVAL;
    return 0;
}

handler __craig_signal(int number, handler given) {
    handler before;
    // Of two signals nobody changes what they do.
    if (!__craig_is_signal(number) || number == 9 || number == 19) {
        *__craig___errno_location() = EINVAL;
        return (handler)-1;
    }
    before = __craig_handlers[number];
    __craig_handlers[number] = given;
    return before;
}

int __craig_raise(int number) {
    handler given;
    if (!__craig_is_signal(number))
        return -1;
    given = __craig_handlers[number];
    if (given == (handler)1)
        return 0;
    if (given != (handler)0) {
        given(number);
        return 0;
    }
    if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH)
        return 0;
    _exit(128 + number);
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
