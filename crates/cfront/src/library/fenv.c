// <fenv.h> but for directions of rounding, which `rounding.c` has. Operations raise exceptions at will; those that were raised by
// name stay until they are cleared.

int __craig_any_int(void);
int __craig_fegetround(void);
void __craig_restore_direction(int);

enum { all = 0x3f };

// What matters of it, where x86 has it.
typedef struct {
    unsigned short control, unused, status;
} environment;

// FE_DFL_ENV
static const environment *const by_default = (const environment *)-1;

static int __craig_raised;

static int __craig_exceptions(void) {
    int found = __craig_any_int();
    return (found & all) | __craig_raised;
}

int __craig_feclearexcept(int exceptions) {
    __craig_raised = __craig_raised & ~exceptions;
    return 0;
}

int __craig_feraiseexcept(int exceptions) {
    __craig_raised = __craig_raised | (exceptions & all);
    return 0;
}

int __craig_fetestexcept(int exceptions) {
    return __craig_exceptions() & exceptions;
}

int __craig_fegetexceptflag(unsigned short *flags, int exceptions) {
    *flags = (unsigned short)(__craig_exceptions() & exceptions);
    return 0;
}

int __craig_fesetexceptflag(const unsigned short *flags, int exceptions) {
    __craig_raised = (__craig_raised & ~exceptions) | (*flags & exceptions & all);
    return 0;
}

int __craig_fegetenv(environment *to) {
    to->control = (unsigned short)__craig_fegetround();
    to->status = (unsigned short)__craig_exceptions();
    return 0;
}

int __craig_feholdexcept(environment *to) {
    __craig_fegetenv(to);
    __craig_raised = 0;
    return 0;
}

int __craig_fesetenv(const environment *from) {
    __craig_restore_direction(from == by_default ? 0 : from->control & 0xc00);
    __craig_raised = from == by_default ? 0 : from->status & all;
    return 0;
}

int __craig_feupdateenv(const environment *from) {
    int raised = __craig_exceptions();
    __craig_fesetenv(from);
    __craig_raised = __craig_raised | raised;
    return 0;
}
