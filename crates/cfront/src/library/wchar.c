// <wchar.h> and <wctype.h> in the C locale.

typedef __typeof__(sizeof(0)) size_t;
typedef int wchar_t;

int __craig_any_int(void);
_Bool __craig_any_bool(void);
void __craig_assume(_Bool);

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
    return to;
}

wchar_t *__craig_wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
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
    return to;
}

int __craig_wcscmp(const wchar_t *a, const wchar_t *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return __craig_wide_sign(*a, *b);
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

wchar_t *__craig_wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t i;
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
        if (a[i] != b[i])
            return __craig_wide_sign(a[i], b[i]);
    return 0;
}

// Any text that fits; a number below zero if there is none.
int __craig_swprintf(wchar_t *to, size_t limit, const wchar_t *format, ...) {
    int n = __craig_any_int();
    size_t i;
    if (n < 0 || (size_t)n >= limit)
        return -1;
    for (i = 0; i < (size_t)n; i++)
        to[i] = __craig_any_int();
    to[n] = 0;
    return n;
}
