// More of <wchar.h> and <wctype.h> in the C locale: numbers in texts, conversions of texts, classes by name, streams.

typedef __typeof__(sizeof(0)) size_t;
typedef struct __craig_stream stream;

int __craig_any_int(void);
_Bool __craig_any_bool(void);
double __craig_any_double(void);
long double __craig_any_ldouble(void);
int *__craig___errno_location(void);
int __craig_strcmp(const char *, const char *);
int __craig_stream_get(stream *);
int __craig_stream_put(int, stream *);

enum { EILSEQ = 84, ERANGE = 34 };

static int __craig_wide_digit(int c) {
    if ('0' <= c && c <= '9')
        return c - '0';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 10;
    if ('A' <= c && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

// The magnitude, its sign, and whether it is too large for any type.
static _Bool __craig_parse_wide(const int *s, int **end, int base, _Bool *negative, unsigned long long *value) {
    const int *start = s;
    unsigned long long result = 0;
    _Bool large = 0, some = 0;
    while (*s == ' ' || ('\t' <= *s && *s <= '\r'))
        s++;
    *negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __craig_wide_digit(s[2]) < 16) {
        s = s + 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    while (__craig_wide_digit(*s) < base) {
        unsigned long long next;
        if (__builtin_mul_overflow(result, (unsigned long long)base, &next) ||
            __builtin_add_overflow(next, (unsigned long long)__craig_wide_digit(*s), &result))
            large = 1;
        some = 1;
        s++;
    }
    if (end)
        *end = (int *)(some ? s : start);
    *value = result;
    return large;
}

static long long __craig_wide_number(const int *s, int **end, int base, long long most) {
    _Bool negative, large;
    unsigned long long value;
    large = __craig_parse_wide(s, end, base, &negative, &value);
    if (large || value > (unsigned long long)most + negative) {
        *__craig___errno_location() = ERANGE;
        return negative ? -most - 1 : most;
    }
    if (negative && value > (unsigned long long)most)
        return -most - 1;
    return negative ? -(long long)value : (long long)value;
}

long __craig_wcstol(const int *s, int **end, int base) {
    return (long)__craig_wide_number(s, end, base, (long long)(~0ul >> 1));
}

long long __craig_wcstoll(const int *s, int **end, int base) {
    return __craig_wide_number(s, end, base, (long long)(~0ull >> 1));
}

long long __craig_wcstoimax(const int *s, int **end, int base) {
    return __craig_wide_number(s, end, base, (long long)(~0ull >> 1));
}

// A minus sign negates the unsigned number.
static unsigned long long __craig_wide_unsigned(const int *s, int **end, int base, unsigned long long most) {
    _Bool negative, large;
    unsigned long long value;
    large = __craig_parse_wide(s, end, base, &negative, &value);
    if (large || value > most) {
        *__craig___errno_location() = ERANGE;
        return most;
    }
    return negative ? (0 - value) & most : value;
}

unsigned long __craig_wcstoul(const int *s, int **end, int base) {
    return (unsigned long)__craig_wide_unsigned(s, end, base, ~0ul);
}

unsigned long long __craig_wcstoull(const int *s, int **end, int base) {
    return __craig_wide_unsigned(s, end, base, ~0ull);
}

unsigned long long __craig_wcstoumax(const int *s, int **end, int base) {
    return __craig_wide_unsigned(s, end, base, ~0ull);
}

// As much of the text as there may be in a number.
static _Bool __craig_skip_number(const int *s, int **end) {
    size_t n = 0;
    while (s[n] && __craig_any_bool())
        n++;
    if (end)
        *end = (int *)(s + n);
    if (n > 0 && __craig_any_bool())
        *__craig___errno_location() = ERANGE;
    return n > 0;
}

double __craig_wcstod(const int *s, int **end) {
    double number = __craig_any_double();
    return __craig_skip_number(s, end) ? number : 0;
}

float __craig_wcstof(const int *s, int **end) {
    float number = (float)__craig_any_double();
    return __craig_skip_number(s, end) ? number : 0;
}

long double __craig_wcstold(const int *s, int **end) {
    long double number = __craig_any_ldouble();
    return __craig_skip_number(s, end) ? number : 0;
}

size_t __craig_wcsxfrm(int *to, const int *from, size_t limit) {
    size_t n = 0;
    while (from[n]) {
        if (n < limit)
            to[n] = from[n];
        n++;
    }
    if (n < limit)
        to[n] = 0;
    return n;
}

// A character is a byte, and only those of ASCII are certain to be characters.
size_t __craig_mbsrtowcs(int *to, const char **from, size_t limit, void *state) {
    const char *s = *from;
    size_t n = 0;
    while (!to || n < limit) {
        unsigned char c = (unsigned char)s[n];
        if (c > 127) {
            if (to)
                *from = s + n;
            *__craig___errno_location() = EILSEQ;
            return -1;
        }
        if (to)
            to[n] = c;
        if (c == 0) {
            if (to)
                *from = 0;
            return n;
        }
        n++;
    }
    *from = s + n;
    return n;
}

size_t __craig_wcsrtombs(char *to, const int **from, size_t limit, void *state) {
    const int *s = *from;
    size_t n = 0;
    while (!to || n < limit) {
        int c = s[n];
        if (c < 0 || c > 127) {
            if (to)
                *from = s + n;
            *__craig___errno_location() = EILSEQ;
            return -1;
        }
        if (to)
            to[n] = (char)c;
        if (c == 0) {
            if (to)
                *from = 0;
            return n;
        }
        n++;
    }
    *from = s + n;
    return n;
}

int __craig_iswalnum(unsigned);
int __craig_iswalpha(unsigned);
int __craig_iswblank(unsigned);
int __craig_iswcntrl(unsigned);
int __craig_iswdigit(unsigned);
int __craig_iswgraph(unsigned);
int __craig_iswlower(unsigned);
int __craig_iswprint(unsigned);
int __craig_iswpunct(unsigned);
int __craig_iswspace(unsigned);
int __craig_iswupper(unsigned);
int __craig_iswxdigit(unsigned);
unsigned __craig_towlower(unsigned);
unsigned __craig_towupper(unsigned);

// Classes are numbers from 1 on.
unsigned long __craig_wctype(const char *name) {
    static const char *const names[12] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                          "lower", "print", "punct", "space", "upper", "xdigit"};
    unsigned long i;
    for (i = 0; i < 12; i++)
        if (__craig_strcmp(name, names[i]) == 0)
            return i + 1;
    return 0;
}

int __craig_iswctype(unsigned c, unsigned long class) {
    switch (class) {
    case 1:
        return __craig_iswalnum(c);
    case 2:
        return __craig_iswalpha(c);
    case 3:
        return __craig_iswblank(c);
    case 4:
        return __craig_iswcntrl(c);
    case 5:
        return __craig_iswdigit(c);
    case 6:
        return __craig_iswgraph(c);
    case 7:
        return __craig_iswlower(c);
    case 8:
        return __craig_iswprint(c);
    case 9:
        return __craig_iswpunct(c);
    case 10:
        return __craig_iswspace(c);
    case 11:
        return __craig_iswupper(c);
    case 12:
        return __craig_iswxdigit(c);
    }
    return 0;
}

// What is read from a wide stream is a character of ASCII or nothing, as other bytes are no characters there.
static unsigned __craig_get_wide(stream *s) {
    int c = __craig_stream_get(s);
    if (0 <= c && c <= 127)
        return (unsigned)c;
    if (c > 127)
        *__craig___errno_location() = EILSEQ;
    return -1u;
}

unsigned __craig_fgetwc(stream *s) {
    return __craig_get_wide(s);
}

unsigned __craig_getwc(stream *s) {
    return __craig_get_wide(s);
}

static unsigned __craig_put_wide(int c, stream *s) {
    if (c < 0 || c > 127) {
        *__craig___errno_location() = EILSEQ;
        return -1u;
    }
    return __craig_stream_put(c, s) == -1 ? -1u : (unsigned)c;
}

unsigned __craig_fputwc(int c, stream *s) {
    return __craig_put_wide(c, s);
}

unsigned __craig_putwc(int c, stream *s) {
    return __craig_put_wide(c, s);
}

int __craig_fputws(const int *text, stream *s) {
    for (; *text; text++)
        if (__craig_put_wide(*text, s) == -1u)
            return -1;
    return __craig_any_int() & 0x7fffffff;
}

int __craig_fwide(stream *s, int mode) {
    return __craig_any_int();
}
