// <getopt.h>: options in any order that the strings may have.

int __craig_any_int(void);
_Bool __craig_any_bool(void);
void __craig_assume(_Bool);

extern char *optarg;
extern int optind, opterr, optopt;

static int __craig_next_option(int count, char *const *arguments, const char *known) {
    int option = __craig_any_int(), index = __craig_any_int(), of = __craig_any_int();
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
    return __craig_next_option(count, arguments, known);
}
