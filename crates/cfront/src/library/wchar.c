// <wchar.h> and <wctype.h> in the C locale.

typedef __typeof__(sizeof(0)) size_t;
typedef int wchar_t;

int __craig_any_int(void);
int __craig_any_approximate_int(void);
_Bool __craig_any_bool(void);
void __craig_assume(_Bool);
void __craig_require_apart(const void *, const void *, size_t);
void __craig_use_byte(const void *);
void *malloc(size_t);
int *__craig___errno_location(void);

enum { EILSEQ = 84 };

static int __craig_wide_sign(wchar_t a, wchar_t b) {
    int result;
    if (a == b)
        return 0;
    result = __craig_any_int();
    if (!(result != 0 && (result < 0) == (a < b)))
        result = a < b ? -1 : 1;
    return result;
}

size_t __craig_wcslen(const wchar_t *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t __craig_wcsnlen(const wchar_t *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

wchar_t *__craig_wcscpy(wchar_t *to, const wchar_t *from) {
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    __craig_require_apart(to, from, (i + 1) * sizeof(wchar_t));
    return to;
}

wchar_t *__craig_wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    __craig_require_apart(to, from, (i < n ? i + 1 : n) * sizeof(wchar_t));
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

wchar_t *__craig_wcscat(wchar_t *to, const wchar_t *from) {
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    while ((to[n + i] = from[i]))
        i++;
    __craig_require_apart(to + n, from, (i + 1) * sizeof(wchar_t));
    return to;
}

wchar_t *__craig_wcsncat(wchar_t *to, const wchar_t *from, size_t limit) {
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    for (; i < limit && from[i]; i++)
        to[n + i] = from[i];
    __craig_require_apart(to + n, from, (i < limit ? i + 1 : i) * sizeof(wchar_t));
    to[n + i] = 0;
    return to;
}

wchar_t *__craig_wcsdup(const wchar_t *s) {
    size_t n = 0, i;
    wchar_t *copy;
    while (s[n])
        n++;
    copy = malloc((n + 1) * sizeof(wchar_t));
    if (copy)
        for (i = 0; i <= n; i++)
            copy[i] = s[i];
    return copy;
}

int __craig_wcscmp(const wchar_t *a, const wchar_t *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return __craig_wide_sign(*a, *b);
}

int __craig_wcscoll(const wchar_t *a, const wchar_t *b) {
    return __craig_wcscmp(a, b);
}

int __craig_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        if (a[i] != b[i] || !a[i])
            return __craig_wide_sign(a[i], b[i]);
    }
    return 0;
}

wchar_t *__craig_wcschr(const wchar_t *s, wchar_t c) {
    while (*s != c) {
        if (!*s)
            return 0;
        s++;
    }
    return (wchar_t *)s;
}

wchar_t *__craig_wcsrchr(const wchar_t *s, wchar_t c) {
    wchar_t *last = 0;
    for (;; s++) {
        if (*s == c)
            last = (wchar_t *)s;
        if (!*s)
            return last;
    }
}

static _Bool __craig_is_one_of(wchar_t c, const wchar_t *set) {
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

size_t __craig_wcsspn(const wchar_t *s, const wchar_t *set) {
    size_t n = 0;
    while (s[n] && __craig_is_one_of(s[n], set))
        n++;
    return n;
}

size_t __craig_wcscspn(const wchar_t *s, const wchar_t *set) {
    size_t n = 0;
    while (s[n] && !__craig_is_one_of(s[n], set))
        n++;
    return n;
}

wchar_t *__craig_wcspbrk(const wchar_t *s, const wchar_t *set) {
    for (; *s; s++)
        if (__craig_is_one_of(*s, set))
            return (wchar_t *)s;
    return 0;
}

wchar_t *__craig_wcsstr(const wchar_t *s, const wchar_t *part) {
    size_t i;
    for (;; s++) {
        for (i = 0; part[i] && s[i] == part[i]; i++)
            ;
        if (!part[i])
            return (wchar_t *)s;
        if (!*s)
            return 0;
    }
}

wchar_t *__craig_wcstok(wchar_t *s, const wchar_t *separators, wchar_t **rest) {
    wchar_t *token;
    if (!s)
        s = *rest;
    if (!s)
        return 0;
    while (*s && __craig_is_one_of(*s, separators))
        s++;
    token = s;
    if (!*s) {
        *rest = 0;
        return 0;
    }
    while (*s && !__craig_is_one_of(*s, separators))
        s++;
    *rest = *s ? s + 1 : 0;
    *s = 0;
    return token;
}

wchar_t *__craig_wmemchr(const wchar_t *s, wchar_t c, size_t n) {
    size_t i;
    for (i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)(s + i);
    return 0;
}

wchar_t *__craig_wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
    __builtin_memmove(to, from, n * sizeof(wchar_t));
    return to;
}

wchar_t *__craig_wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t i;
    __craig_require_apart(to, from, n * sizeof(wchar_t));
    for (i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}

wchar_t *__craig_wmemset(wchar_t *to, wchar_t c, size_t n) {
    size_t i;
    for (i = 0; i < n; i++)
        to[i] = c;
    return to;
}

int __craig_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    size_t i;
    for (i = 0; i < n; i++)
        if (a[i] != b[i]) {
            __craig_use_byte(a + (n - 1));
            __craig_use_byte(b + (n - 1));
            return __craig_wide_sign(a[i], b[i]);
        }
    return 0;
}

// Any text that fits; a number below zero if there is none.
int __craig_swprintf(wchar_t *to, size_t limit, const wchar_t *format, ...) {
    int n = __craig_any_approximate_int();
    size_t i;
    if (n < 0 || (size_t)n >= limit)
        return -1;
    for (i = 0; i < (size_t)n; i++)
        to[i] = __craig_any_int();
    to[n] = 0;
    return n;
}

// Characters are single bytes, and no state is kept between them.
int __craig_mbsinit(const void *state) {
    int result = __craig_any_int();
    return result ? result : 1;
}

size_t __craig_mbrtowc(wchar_t *to, const char *s, size_t n, void *state) {
    if (!s)
        return 0;
    if (n == 0)
        return (size_t)-2;
    if ((unsigned char)*s > 127) {
        *__craig___errno_location() = EILSEQ;
        return (size_t)-1;
    }
    if (to)
        *to = *s;
    return *s != 0;
}

size_t __craig_mbrlen(const char *s, size_t n, void *state) {
    return __craig_mbrtowc(0, s, n, state);
}

size_t __craig_wcrtomb(char *s, wchar_t c, void *state) {
    if (!s)
        return 1;
    if (c < 0 || c > 127) {
        *__craig___errno_location() = EILSEQ;
        return (size_t)-1;
    }
    *s = (char)c;
    return 1;
}

size_t __craig_mbstowcs(wchar_t *to, const char *from, size_t limit) {
    size_t n;
    for (n = 0; !to || n < limit; n++) {
        if ((unsigned char)from[n] > 127) {
            *__craig___errno_location() = EILSEQ;
            return (size_t)-1;
        }
        if (to)
            to[n] = from[n];
        if (!from[n])
            return n;
    }
    return n;
}

size_t __craig_wcstombs(char *to, const wchar_t *from, size_t limit) {
    size_t n;
    for (n = 0; !to || n < limit; n++) {
        if (from[n] < 0 || from[n] > 127) {
            *__craig___errno_location() = EILSEQ;
            return (size_t)-1;
        }
        if (to)
            to[n] = (char)from[n];
        if (!from[n])
            return n;
    }
    return n;
}
