// <getopt.h>: options in any order that the strings may have.

int __craig_any_int(void);
_Bool __craig_any_bool(void);
void __craig_assume(_Bool);

extern char *optarg;
extern int optind, opterr, optopt;

static int __craig_next_option(int count, char *const *arguments, const char *known) {
    int option = __craig_any_int(), index = __craig_any_int(), of = __craig_any_int();
    __craig_assume(optind <= index && index <= count);
    optind = index;
    if (__craig_any_bool())
        return -1;
    __craig_assume(option == '?' || option == ':' || (0 < option && option <= 255));
    optopt = __craig_any_int();
    optarg = 0;
    if (__craig_any_bool()) {
        __craig_assume(0 < of && of < count);
        optarg = arguments[of];
    }
    return option;
}

int __craig_getopt(int count, char *const *arguments, const char *known) {
    return __craig_next_option(count, arguments, known);
}
