// Formatted input. A constant format is taken apart where it is called: each conversion may fail, and then what
// follows is not read; otherwise it stores a value through its argument.

typedef __typeof__(sizeof(0)) size_t;
typedef struct __craig_stream stream;

int __craig_any_int(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);

extern stream *__craig_stdin;
_Bool __craig_stream_reads(stream *);
void __craig_stream_took(stream *);

// Something may be read from a stream, or its end be reached.
void __craig_scan_stream(stream *s) {
    if (__craig_stream_reads(s))
        __craig_stream_took(s);
}

void __craig_scan_input(void) {
    __craig_scan_stream(__craig_stdin);
}

// A word of at most `width` characters.
void __craig_scan_string(char *to, size_t width) {
    size_t n = __craig_any_size(), i;
    if (!(0 < n && n <= width))
        n = 1;
    for (i = 0; i < n; i++) {
        char c = __craig_any_char();
        if (!(c != 0 && c != ' ' && !('\t' <= c && c <= '\r')))
            c = 'x';
        to[i] = c;
    }
    to[n] = 0;
}

// Text of some set of characters.
void __craig_scan_set(char *to, size_t width) {
    size_t n = __craig_any_size(), i;
    if (!(0 < n && n <= width))
        n = 1;
    for (i = 0; i < n; i++)
        to[i] = __craig_any_char();
    to[n] = 0;
}

void __craig_scan_chars(char *to, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        to[i] = __craig_any_char();
}

// How many conversions of `count` there are, where none was stored: the input may end before the first.
int __craig_scan_count(void) {
    return __craig_any_bool() ? 0 : -1;
}

// The same of a text whose first word or number is asked for: it has ended, or that is something else.
int __craig_scan_text_count(const char *text) {
    while (*text == ' ' || ('\t' <= *text && *text <= '\r'))
        text++;
    return *text ? 0 : -1;
}

int __craig_scan_offset(void) {
    int n = __craig_any_int();
    if (n < 0)
        n = 0;
    return n;
}

// The functions that read from a text return where they end, or null where it does not match.

const char *__craig_scan_blank(const char *at) {
    while (*at == ' ' || ('\t' <= *at && *at <= '\r'))
        at++;
    return at;
}

const char *__craig_scan_literal(const char *at, int c) {
    return *at == (char)c ? at + 1 : 0;
}

// A word of at most `width` characters, which there is one of; stored only if there is a place for it.
const char *__craig_scan_word(const char *at, char *to, size_t width) {
    size_t n = 0;
    while (n < width && at[n] && at[n] != ' ' && !('\t' <= at[n] && at[n] <= '\r')) {
        if (to)
            to[n] = at[n];
        n++;
    }
    if (to)
        to[n] = 0;
    return at + n;
}

// As many characters as are asked for, or there are, whatever they are.
const char *__craig_scan_characters(const char *at, char *to, size_t count) {
    size_t n;
    for (n = 0; n < count && at[n]; n++)
        if (to)
            to[n] = at[n];
    return at + n;
}

// Characters of a set, which is given in four words; at least one of them.
const char *__craig_scan_some(const char *at, char *to, size_t width, unsigned long long a, unsigned long long b,
                              unsigned long long c, unsigned long long d) {
    size_t n = 0;
    while (n < width) {
        unsigned char next = (unsigned char)at[n];
        unsigned long long word = next < 64 ? a : next < 128 ? b : next < 192 ? c : d;
        if (!(word >> next % 64 & 1))
            break;
        if (to)
            to[n] = at[n];
        n++;
    }
    if (!n)
        return 0;
    if (to)
        to[n] = 0;
    return at + n;
}

static unsigned long long __craig_scanned;

// A number of at most `width` characters; with base 0 its prefix says which it has.
const char *__craig_scan_number(const char *at, int base, size_t width) {
    size_t n = 0, digits = 0;
    _Bool negative = at[n] == '-', prefixed = 0;
    __craig_scanned = 0;
    if (at[n] == '-' || at[n] == '+')
        n++;
    if (n < width && at[n] == '0' && (base == 0 || base == 16)) {
        n++;
        digits = 1;
        if (n < width && (at[n] == 'x' || at[n] == 'X')) {
            n++;
            digits = 0;
            prefixed = 1;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; n < width; n++) {
        int digit = '0' <= at[n] && at[n] <= '9' ? at[n] - '0'
            : 'a' <= at[n] && at[n] <= 'f'       ? at[n] - 'a' + 10
            : 'A' <= at[n] && at[n] <= 'F'       ? at[n] - 'A' + 10
                                                 : 16;
        if (digit >= base)
            break;
        __craig_scanned = __craig_scanned * base + digit;
        digits++;
    }
    // C wants a digit after the prefix, glibc does not.
    if (prefixed && !digits)
        digits = __craig_any_bool();
    if (negative)
        __craig_scanned = -__craig_scanned;
    return digits ? at + n : 0;
}

unsigned long long __craig_scan_value(void) {
    return __craig_scanned;
}

static int __craig_conversions(void) {
    int n = __craig_any_int();
    if (n < -1)
        n = -1;
    return n;
}

int __craig_scanf(const char *format, ...) {
    __craig_scan_input();
    return __craig_conversions();
}

int __craig_fscanf(stream *s, const char *format, ...) {
    __craig_scan_stream(s);
    return __craig_conversions();
}

int __craig_sscanf(const char *text, const char *format, ...) {
    return __craig_conversions();
}

// What pointers to these functions lead to. Those with lists have no body, and may write to what the lists point to.

int vscanf(const char *, __builtin_va_list);
int vsscanf(const char *, const char *, __builtin_va_list);

int __craig_pointer_scanf(const char *format, ...) {
    __builtin_va_list arguments;
    int n;
    __craig_scan_input();
    __builtin_va_start(arguments, format);
    n = vscanf(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vscanf(const char *format, __builtin_va_list arguments) {
    __craig_scan_input();
    return vscanf(format, arguments);
}

int __craig_pointer_fscanf(stream *s, const char *format, ...) {
    __builtin_va_list arguments;
    int n;
    __craig_scan_stream(s);
    __builtin_va_start(arguments, format);
    n = vscanf(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vfscanf(stream *s, const char *format, __builtin_va_list arguments) {
    __craig_scan_stream(s);
    return vscanf(format, arguments);
}

int __craig_pointer_sscanf(const char *text, const char *format, ...) {
    __builtin_va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = vsscanf(text, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vsscanf(const char *text, const char *format, __builtin_va_list arguments) {
    return vsscanf(text, format, arguments);
}
