// <stdlib.h> and <inttypes.h>, without memory, sorting and the end of the program.

typedef __typeof__(sizeof(0)) size_t;

int __craig_any_int(void);
long __craig_any_long(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
_Bool __craig_any_approximate_bool(void);
size_t __craig_any_size(void);
double __craig_any_double(void);
long double __craig_any_ldouble(void);
void __craig_assume(_Bool);
void __craig_require(_Bool);
void *malloc(size_t);
void *__craig_object(size_t);
void __craig_use_text(const char *);
int *__craig___errno_location(void);

enum { EINVAL = 22, ENOMEM = 12, ERANGE = 34 };

int __craig_abs(int x) {
    return x < 0 ? -x : x;
}

long __craig_labs(long x) {
    return x < 0 ? -x : x;
}

long long __craig_llabs(long long x) {
    return x < 0 ? -x : x;
}

long long __craig_imaxabs(long long x) {
    return x < 0 ? -x : x;
}

struct __craig_div {
    int quot, rem;
};

struct __craig_ldiv {
    long quot, rem;
};

struct __craig_lldiv {
    long long quot, rem;
};

struct __craig_div __craig_div(int a, int b) {
    struct __craig_div result;
    __craig_require(b != 0);
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

struct __craig_ldiv __craig_ldiv(long a, long b) {
    struct __craig_ldiv result;
    __craig_require(b != 0);
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

struct __craig_lldiv __craig_lldiv(long long a, long long b) {
    struct __craig_lldiv result;
    __craig_require(b != 0);
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

struct __craig_lldiv __craig_imaxdiv(long long a, long long b) {
    return __craig_lldiv(a, b);
}

static int __craig_digit(char c) {
    if ('0' <= c && c <= '9')
        return c - '0';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 10;
    if ('A' <= c && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

// The number at the start of the text as sign and magnitude; 2 for a magnitude beyond 64 bits.
static int __craig_parse(const char *s, char **end, int base, _Bool *negative, unsigned long long *value) {
    const char *start = s;
    unsigned long long sum = 0;
    int overflow = 0, any = 0, d;
    *negative = 0;
    *value = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__craig___errno_location() = EINVAL;
        if (end)
            *end = (char *)start;
        return 1;
    }
    while (*s == ' ' || ('\t' <= *s && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+') {
        *negative = *s == '-';
        s++;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __craig_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    while ((d = __craig_digit(*s)) < base) {
        if (sum > (18446744073709551615ull - d) / base)
            overflow = 2;
        else
            sum = sum * base + d;
        any = 1;
        s++;
    }
    if (end)
        *end = (char *)(any ? s : start);
    *value = sum;
    return any ? overflow : 1;
}

long __craig_strtol(const char *s, char **end, int base) {
    _Bool negative;
    unsigned long long value;
    unsigned long limit = ~0ul >> 1;
    int state = __craig_parse(s, end, base, &negative, &value);
    if (negative)
        limit++;
    if (state == 2 || value > limit) {
        *__craig___errno_location() = ERANGE;
        return negative ? -(long)(~0ul >> 1) - 1 : (long)limit;
    }
    if (!negative)
        return (long)value;
    return value == limit ? -(long)(~0ul >> 1) - 1 : -(long)value;
}

long long __craig_strtoll(const char *s, char **end, int base) {
    _Bool negative;
    unsigned long long value, limit = 9223372036854775807ull;
    int state = __craig_parse(s, end, base, &negative, &value);
    if (negative)
        limit++;
    if (state == 2 || value > limit) {
        *__craig___errno_location() = ERANGE;
        return negative ? -9223372036854775807ll - 1 : 9223372036854775807ll;
    }
    if (!negative)
        return (long long)value;
    return value == limit ? -9223372036854775807ll - 1 : -(long long)value;
}

long long __craig_strtoimax(const char *s, char **end, int base) {
    return __craig_strtoll(s, end, base);
}

// A minus sign negates the unsigned number.
unsigned long __craig_strtoul(const char *s, char **end, int base) {
    _Bool negative;
    unsigned long long value;
    unsigned long limit = ~0ul;
    int state = __craig_parse(s, end, base, &negative, &value);
    if (state == 2 || value > limit) {
        *__craig___errno_location() = ERANGE;
        return limit;
    }
    return negative ? -(unsigned long)value : (unsigned long)value;
}

unsigned long long __craig_strtoull(const char *s, char **end, int base) {
    _Bool negative;
    unsigned long long value;
    if (__craig_parse(s, end, base, &negative, &value) == 2) {
        *__craig___errno_location() = ERANGE;
        return ~0ull;
    }
    return negative ? -value : value;
}

unsigned long long __craig_strtoumax(const char *s, char **end, int base) {
    return __craig_strtoull(s, end, base);
}

long __craig_atol(const char *s) {
    _Bool negative;
    unsigned long long value;
    int state = __craig_parse(s, 0, 10, &negative, &value);
    // Beyond the range nothing is promised.
    if (state == 2 || value > ~0ul >> 1)
        return __craig_any_long();
    return negative ? -(long)value : (long)value;
}

int __craig_atoi(const char *s) {
    _Bool negative;
    unsigned long long value;
    int state = __craig_parse(s, 0, 10, &negative, &value);
    if (state == 2 || value > 2147483647)
        return __craig_any_int();
    return negative ? -(int)value : (int)value;
}

long long __craig_atoll(const char *s) {
    return __craig_strtoll(s, 0, 10);
}

// The number, which is any; the end is somewhere in the text. Callers choose the number, so that each run passes where it
// is noted that any number stands for the one in the text.
static double __craig_parse_float(const char *s, char **end, double number) {
    size_t n = 0;
    while (s[n] && __craig_any_bool())
        n++;
    if (end)
        *end = (char *)(s + n);
    if (n == 0)
        return 0;
    if (__craig_any_bool())
        *__craig___errno_location() = ERANGE;
    return number;
}

double __craig_strtod(const char *s, char **end) {
    return __craig_parse_float(s, end, __craig_any_double());
}

float __craig_strtof(const char *s, char **end) {
    return __craig_parse_float(s, end, __craig_any_double());
}

// Every number of the type can be written, with more digits than a `double` has.
long double __craig_strtold(const char *s, char **end) {
    long double number = __craig_any_ldouble();
    return __craig_parse_float(s, end, 1) == 0 ? 0 : number;
}

double __craig_atof(const char *s) {
    return __craig_parse_float(s, 0, __craig_any_double());
}

int __craig_rand(void) {
    int result = __craig_any_int();
    if (result < 0)
        result = 0;
    return result;
}

int __craig_rand_r(unsigned *seed) {
    int result = __craig_any_int();
    if (result < 0)
        result = 0;
    *seed = (unsigned)__craig_any_int();
    return result;
}

void __craig_srand(unsigned seed) {
}

void __craig_srandom(unsigned seed) {
}

void __craig_srand48(long seed) {
}

long __craig_random(void) {
    long result = __craig_any_long();
    if (!(0 <= result && result <= 2147483647))
        result = 0;
    return result;
}

long __craig_lrand48(void) {
    long result = __craig_any_long();
    if (!(0 <= result && result <= 2147483647))
        result = 0;
    return result;
}

long __craig_mrand48(void) {
    long result = __craig_any_long();
    if (!(-2147483647 - 1 <= result && result <= 2147483647))
        result = 0;
    return result;
}

double __craig_drand48(void) {
    double result = __craig_any_double();
    if (!(0.0 <= result && result < 1.0))
        result = 0;
    return result;
}

// Null, or a string that belongs to the environment: which, and whether the next call finds it too, is left open.
char *__craig_getenv(const char *name) {
    size_t length;
    char *text;
    __craig_use_text(name);
    if (__craig_any_approximate_bool())
        return 0;
    length = __craig_any_size();
    if (length > 131071)
        length = 0;
    text = __craig_object(length + 1);
    text[length] = 0;
    return text;
}

char *__craig_secure_getenv(const char *name) {
    return __craig_getenv(name);
}

static int __craig_status(void) {
    if (__craig_any_bool())
        return 0;
    *__craig___errno_location() = __craig_any_bool() ? ENOMEM : EINVAL;
    return -1;
}

int __craig_setenv(const char *name, const char *value, int overwrite) {
    __craig_use_text(name);
    __craig_use_text(value);
    return __craig_status();
}

int __craig_unsetenv(const char *name) {
    __craig_use_text(name);
    return __craig_status();
}

int __craig_putenv(char *string) {
    __craig_use_text(string);
    return __craig_status();
}

int __craig_system(const char *command) {
    if (command)
        __craig_use_text(command);
    return __craig_any_int();
}

void *__craig_aligned_alloc(size_t alignment, size_t size) {
    return malloc(size);
}

void *__craig_memalign(size_t alignment, size_t size) {
    return malloc(size);
}

int __craig_posix_memalign(void **to, size_t alignment, size_t size) {
    void *memory;
    if (!alignment || alignment % sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    memory = malloc(size);
    if (!memory)
        return ENOMEM;
    *to = memory;
    return 0;
}

void *__craig_reallocarray(void *old, size_t count, size_t size) {
    void *realloc(void *, size_t);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *__craig___errno_location() = ENOMEM;
        return 0;
    }
    return realloc(old, bytes);
}

// In the C locale a character is a byte.
int __craig_mblen(const char *s, size_t n) {
    if (!s)
        return 0;
    // Of no bytes C has no character, and glibc the one that ends the text.
    if (n == 0)
        return __craig_any_bool() ? 0 : -1;
    return *s != 0;
}

int __craig_mbtowc(int *to, const char *s, size_t n) {
    if (!s)
        return 0;
    if (n == 0)
        return __craig_any_bool() ? 0 : -1;
    if ((unsigned char)*s > 127)
        return -1;
    if (to)
        *to = *s;
    return *s != 0;
}

int __craig_wctomb(char *s, int c) {
    if (!s)
        return 0;
    if (c < 0 || c > 127)
        return -1;
    *s = (char)c;
    return 1;
}
