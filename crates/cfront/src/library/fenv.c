// <fenv.h> but for what may change the direction of rounding, which `rounding.c` and `environment.c` have. Operations raise
// exceptions at will; those that were raised by name stay until they are cleared.

int __craig_any_int(void);
int __craig_fegetround(void);

enum { all = 0x3f };

// What matters of it, where x86 has it.
typedef struct {
    unsigned short control, unused, status;
} environment;

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
