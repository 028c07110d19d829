// <getopt.h>: options in any order that the strings may have.

int __craig_any_int(void);
int __craig_any_approximate_int(void);
_Bool __craig_any_bool(void);
void __craig_assume(_Bool);
void __craig_use_text(const char *);

extern char *optarg;
extern int optind, opterr, optopt;

static int __craig_next_option(int count, char *const *arguments, const char *known, int index) {
    int option = __craig_any_int(), of = __craig_any_int();
    if (!(optind <= index && index <= count))
        index = optind;
    optind = index;
    if (__craig_any_bool())
        return -1;
    if (!(option == '?' || option == ':' || (0 < option && option <= 255)))
        option = '?';
    optopt = __craig_any_int();
    optarg = 0;
    if (0 < of && of < count)
        optarg = arguments[of];
    return option;
}

int __craig_getopt(int count, char *const *arguments, const char *known) {
    __craig_use_text(known);
    return __craig_next_option(count, arguments, known, __craig_any_approximate_int());
}

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

// As `getopt`, or any of the long options: its value, or 0 where that is put elsewhere.
static int __craig_next_long_option(int count, char *const *arguments, const char *known, const struct option *options, int *which, int at) {
    int result = __craig_next_option(count, arguments, known, at), index = 0;
    if (result == -1 || !__craig_any_bool())
        return result;
    while (options[index].name && __craig_any_bool())
        index++;
    if (!options[index].name)
        return '?';
    if (options[index].has_arg == 0)
        optarg = 0;
    if (options[index].has_arg == 1)
        __craig_assume(optarg != 0);
    if (which)
        *which = index;
    if (!options[index].flag)
        return options[index].val;
    *options[index].flag = options[index].val;
    return 0;
}

int __craig_getopt_long(int count, char *const *arguments, const char *known, const struct option *options, int *which) {
    __craig_use_text(known);
    return __craig_next_long_option(count, arguments, known, options, which, __craig_any_approximate_int());
}

int __craig_getopt_long_only(int count, char *const *arguments, const char *known, const struct option *options, int *which) {
    __craig_use_text(known);
    return __craig_next_long_option(count, arguments, known, options, which, __craig_any_approximate_int());
}
