// Environments of <fenv.h> that a program puts in place. They may change the direction of rounding.

int __craig_fesetround(int);
int __craig_feclearexcept(int);
int __craig_feraiseexcept(int);
int __craig_fetestexcept(int);

enum { all = 0x3f };

// What matters of it, where x86 has it.
typedef struct {
    unsigned short control, unused, status;
} environment;

// FE_DFL_ENV
static const environment *const by_default = (const environment *)-1;

int __craig_fesetenv(const environment *from) {
    __craig_fesetround(from == by_default ? 0 : from->control & 0xc00);
    __craig_feclearexcept(all);
    if (from != by_default)
        __craig_feraiseexcept(from->status);
    return 0;
}

int __craig_feupdateenv(const environment *from) {
    int raised = __craig_fetestexcept(all);
    __craig_fesetenv(from);
    __craig_feraiseexcept(raised);
    return 0;
}
