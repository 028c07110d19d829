// Formatted output. A constant format is taken apart where it is called, into calls of the functions below, one
// for each piece: they write to `to`, which has room for `limit` characters with the zero at the end, and
// return how many characters the output has so far, whether they were written or not. Of other formats the
// output is any text.

typedef __typeof__(sizeof(0)) size_t;
typedef __builtin_va_list va_list;
typedef struct __craig_stream stream;

int __craig_any_int(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
// Whether what is written to the standard output gets there: that is open, unless the user says that it does.
_Bool __craig_output_arrives(void);
size_t __craig_any_size(void);
void __craig_use_text(const char *);
void __craig_assume(_Bool);
// Of two places, each with its size; what is copied between them may not overlap (C11 7.21.6.6 p2).
void __craig_require_ranges_apart(const void *, size_t, const void *, size_t);
void *malloc(size_t);
_Bool __craig_stream_sent(stream *, size_t);

enum { left = 1, plus = 2, blank = 4, alternative = 8, zeros = 16, capitals = 32 };

static size_t __craig_put(char *to, size_t limit, size_t at, char c) {
    if (at + 1 < limit)
        to[at] = c;
    return at + 1;
}

size_t __craig_format_text(char *to, size_t limit, size_t at, const char *text, size_t length) {
    size_t i;
    for (i = 0; i < length; i++)
        at = __craig_put(to, limit, at, text[i]);
    return at;
}

size_t __craig_format_char(char *to, size_t limit, size_t at, int c, int width, int flags) {
    int i;
    for (i = 1; i < width && !(flags & left); i++)
        at = __craig_put(to, limit, at, ' ');
    at = __craig_put(to, limit, at, (char)c);
    for (i = 1; i < width && (flags & left); i++)
        at = __craig_put(to, limit, at, ' ');
    return at;
}

// How much of a text is written. A precision below zero is none.
size_t __craig_format_text_length(const char *s, int precision) {
    size_t n = 0;
    while ((precision < 0 || n < (size_t)precision) && s[n])
        n++;
    return n;
}

size_t __craig_format_string(char *to, size_t limit, size_t at, const char *s, size_t n, int width, int flags) {
    size_t i;
    for (i = n; width > 0 && i < (size_t)width && !(flags & left); i++)
        at = __craig_put(to, limit, at, ' ');
    for (i = 0; i < n; i++)
        at = __craig_put(to, limit, at, s[i]);
    for (i = n; width > 0 && i < (size_t)width && (flags & left); i++)
        at = __craig_put(to, limit, at, ' ');
    return at;
}

// When all is written, with the zero: a text of `n` characters was read elsewhere.
void __craig_format_apart(char *to, size_t limit, size_t at, const char *s, size_t n, int precision) {
    if (limit > 0)
        __craig_require_ranges_apart(to, at < limit ? at + 1 : limit, s, precision < 0 || n < (size_t)precision ? n + 1 : n);
}

// Of output that nobody looks at: what is read,
void __craig_format_read(const char *s, int precision) {
    (void)__craig_format_text_length(s, precision);
}

// and where it goes.
void __craig_format_to(stream *s) {
    char state = *(const char *)s;
    (void)state;
}

static unsigned long long __craig_quotient(unsigned long long value, int base) {
    return base == 10 ? value / 10 : base == 8 ? value / 8 : value / 16;
}

static int __craig_last_digit(unsigned long long value, int base) {
    return (int)(base == 10 ? value % 10 : base == 8 ? value % 8 : value % 16);
}

// A magnitude with a sign or prefix: `sign` is 0 for none.
static size_t __craig_number(char *to, size_t limit, size_t at, unsigned long long value, char sign, int base,
                             int width, int precision, int flags) {
    char reversed[24];
    unsigned long long rest = value;
    int digits = 0, i, whole;
    while (rest > 0) {
        int d = __craig_last_digit(rest, base);
        reversed[digits] = (char)(d < 10 ? '0' + d : (flags & capitals ? 'A' : 'a') + d - 10);
        digits++;
        rest = __craig_quotient(rest, base);
    }
    reversed[digits] = '0';
    if (value == 0 && precision != 0)
        digits = 1;
    if (precision < digits)
        precision = digits;
    if ((flags & alternative) && base == 8 && precision == digits && (value > 0 || digits == 0))
        precision++;
    whole = precision + (sign != 0) + ((flags & alternative) && base == 16 && value > 0 ? 2 : 0);
    if (!(flags & left) && !(flags & zeros))
        for (i = whole; i < width; i++)
            at = __craig_put(to, limit, at, ' ');
    if (sign)
        at = __craig_put(to, limit, at, sign);
    if ((flags & alternative) && base == 16 && value > 0) {
        at = __craig_put(to, limit, at, '0');
        at = __craig_put(to, limit, at, flags & capitals ? 'X' : 'x');
    }
    if (!(flags & left) && (flags & zeros))
        for (i = whole; i < width; i++)
            at = __craig_put(to, limit, at, '0');
    for (i = digits; i < precision; i++)
        at = __craig_put(to, limit, at, '0');
    for (i = digits; i > 0; i--)
        at = __craig_put(to, limit, at, reversed[i - 1]);
    if (flags & left)
        for (i = whole; i < width; i++)
            at = __craig_put(to, limit, at, ' ');
    return at;
}

size_t __craig_format_signed(char *to, size_t limit, size_t at, long long value, int width, int precision,
                             int flags) {
    char sign = value < 0 ? '-' : flags & plus ? '+' : flags & blank ? ' ' : 0;
    unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    return __craig_number(to, limit, at, magnitude, sign, 10, width, precision, flags);
}

size_t __craig_format_unsigned(char *to, size_t limit, size_t at, unsigned long long value, int base, int width,
                               int precision, int flags) {
    return __craig_number(to, limit, at, value, 0, base, width, precision, flags);
}

// From `least` to `most` characters, none of them zero.
size_t __craig_format_any(char *to, size_t limit, size_t at, int least, int most) {
    int n = __craig_any_int(), i;
    if (n < least || n > most)
        n = least;
    for (i = 0; i < n; i++) {
        char c = __craig_any_char();
        if (c == 0)
            c = 'x';
        at = __craig_put(to, limit, at, c);
    }
    return at;
}

// Writes the zero.
int __craig_format_end(char *to, size_t limit, size_t at) {
    if (limit > 0)
        to[at < limit ? at : limit - 1] = 0;
    return (int)at;
}

// Memory for a text of that length, which `*to` becomes; or null.
char *__craig_format_made(char **to, size_t length) {
    char *text = malloc(length + 1);
    if (text)
        *to = text;
    return text;
}

size_t __craig_format_limit(const char *to) {
    return to ? -1 : 0;
}

int __craig_format_finished(char *to, size_t limit, size_t at) {
    return to ? __craig_format_end(to, limit, at) : -1;
}

static int __craig_failure(void) {
    int result = __craig_any_int();
    if (result >= 0)
        result = -1;
    return result;
}

// Output to a stream may fail.
int __craig_format_sent(size_t length) {
    return __craig_any_bool() ? (int)length : __craig_failure();
}

int __craig_format_shown(size_t length) {
    return __craig_output_arrives() ? (int)length : __craig_failure();
}

size_t __craig_format_chars(void) {
    return __craig_any_size() & 0x7fffffff;
}

// The same where it is known which stream that is.
int __craig_format_stream(stream *s, size_t length) {
    return __craig_stream_sent(s, length) ? (int)length : __craig_failure();
}

static int __craig_any_output(char *to, size_t limit) {
    int n = __craig_any_int();
    size_t i;
    if (n < 0)
        n = 0;
    for (i = 0; i < (size_t)n && i + 1 < limit; i++) {
        char c = __craig_any_char();
        to[i] = c;
    }
    if (limit > 0)
        to[i] = 0;
    return n;
}

static int __craig_any_length(void) {
    return __craig_any_int();
}

static int __craig_any_output_shown(void) {
    return __craig_format_shown(__craig_format_chars());
}

static int __craig_any_output_to(stream *s) {
    int length = __craig_any_int();
    if (length < 0)
        length = 0;
    return __craig_format_stream(s, (size_t)length);
}

int __craig_sprintf(char *to, const char *format, ...) {
    __craig_use_text(format);
    return __craig_any_output(to, -1);
}

int __craig_vsprintf(char *to, const char *format, va_list arguments) {
    __craig_use_text(format);
    return __craig_any_output(to, -1);
}

int __craig_snprintf(char *to, size_t limit, const char *format, ...) {
    __craig_use_text(format);
    return __craig_any_output(to, limit);
}

int __craig_vsnprintf(char *to, size_t limit, const char *format, va_list arguments) {
    __craig_use_text(format);
    return __craig_any_output(to, limit);
}

int __craig_printf(const char *format, ...) {
    __craig_use_text(format);
    return __craig_any_output_shown();
}

int __craig_vprintf(const char *format, va_list arguments) {
    __craig_use_text(format);
    return __craig_any_output_shown();
}

int __craig_fprintf(stream *s, const char *format, ...) {
    __craig_use_text(format);
    return __craig_any_output_to(s);
}

int __craig_vfprintf(stream *s, const char *format, va_list arguments) {
    __craig_use_text(format);
    return __craig_any_output_to(s);
}

int __craig_dprintf(int descriptor, const char *format, ...) {
    __craig_use_text(format);
    return __craig_any_length();
}

int __craig_vdprintf(int descriptor, const char *format, va_list arguments) {
    __craig_use_text(format);
    return __craig_any_length();
}

static int __craig_made_text(char **to) {
    int n = __craig_any_int();
    char *text;
    if (n < -1)
        n = -1;
    if (n == -1)
        return n;
    text = malloc((size_t)n + 1);
    if (!text)
        return -1;
    text[n] = 0;
    *to = text;
    return n;
}

int __craig_asprintf(char **to, const char *format, ...) {
    __craig_use_text(format);
    return __craig_made_text(to);
}

int __craig_vasprintf(char **to, const char *format, va_list arguments) {
    __craig_use_text(format);
    return __craig_made_text(to);
}

// What pointers to these functions lead to: the formats and arguments of calls through pointers are known to nobody.

int __craig_pointer_sprintf(char *to, const char *format, ...) {
    va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = __craig_vsprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vsprintf(char *to, const char *format, va_list arguments) {
    return __craig_vsprintf(to, format, arguments);
}

int __craig_pointer_snprintf(char *to, size_t limit, const char *format, ...) {
    va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = __craig_vsnprintf(to, limit, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vsnprintf(char *to, size_t limit, const char *format, va_list arguments) {
    return __craig_vsnprintf(to, limit, format, arguments);
}

int __craig_pointer_printf(const char *format, ...) {
    va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = __craig_vprintf(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vprintf(const char *format, va_list arguments) {
    return __craig_vprintf(format, arguments);
}

int __craig_pointer_fprintf(stream *s, const char *format, ...) {
    va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = __craig_vfprintf(s, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vfprintf(stream *s, const char *format, va_list arguments) {
    return __craig_vfprintf(s, format, arguments);
}

int __craig_pointer_dprintf(int descriptor, const char *format, ...) {
    va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = __craig_vdprintf(descriptor, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vdprintf(int descriptor, const char *format, va_list arguments) {
    return __craig_vdprintf(descriptor, format, arguments);
}

int __craig_pointer_asprintf(char **to, const char *format, ...) {
    va_list arguments;
    int n;
    __builtin_va_start(arguments, format);
    n = __craig_vasprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __craig_pointer_vasprintf(char **to, const char *format, va_list arguments) {
    return __craig_vasprintf(to, format, arguments);
}
