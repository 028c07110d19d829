typedef __typeof__(sizeof(0)) size_t;

size_t __craig_strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t __craig_strnlen(const char *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

char *__craig_strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

char *__craig_stpcpy(char *to, const char *from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *__craig_strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *__craig_strcat(char *to, const char *from) {
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    while ((to[n + i] = from[i]))
        i++;
    return to;
}

char *__craig_strncat(char *to, const char *from, size_t limit) {
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    for (; i < limit && from[i]; i++)
        to[n + i] = from[i];
    to[n + i] = 0;
    return to;
}

int __craig_strcmp(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int __craig_strncmp(const char *a, const char *b, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    }
    return 0;
}

char *__craig_strchr(const char *s, int c) {
    while (*s != (char)c) {
        if (!*s)
            return 0;
        s++;
    }
    return (char *)s;
}

char *__craig_strrchr(const char *s, int c) {
    char *last = 0;
    for (;; s++) {
        if (*s == (char)c)
            last = (char *)s;
        if (!*s)
            return last;
    }
}

char *__craig_strstr(const char *text, const char *word) {
    for (;; text++) {
        size_t i = 0;
        while (word[i] && text[i] == word[i])
            i++;
        if (!word[i])
            return (char *)text;
        if (!*text)
            return 0;
    }
}

int __craig_memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    size_t i;
    for (i = 0; i < n; i++) {
        if (x[i] != y[i])
            return x[i] - y[i];
    }
    return 0;
}

void *__craig_memchr(const void *s, int c, size_t n) {
    const unsigned char *bytes = s;
    size_t i;
    for (i = 0; i < n; i++) {
        if (bytes[i] == (unsigned char)c)
            return (void *)(bytes + i);
    }
    return 0;
}

int __craig_abs(int x) { return x < 0 ? -x : x; }

long __craig_labs(long x) { return x < 0 ? -x : x; }

long long __craig_llabs(long long x) { return x < 0 ? -x : x; }

double __craig_fabs(double x) { return x <= 0 ? 0 - x : x; }

float __craig_fabsf(float x) { return x <= 0 ? 0 - x : x; }

int __craig_isdigit(int c) { return '0' <= c && c <= '9'; }

int __craig_isspace(int c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

int __craig_isupper(int c) { return 'A' <= c && c <= 'Z'; }

int __craig_islower(int c) { return 'a' <= c && c <= 'z'; }

int __craig_isalpha(int c) { return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z'); }

int __craig_isalnum(int c) { return ('0' <= c && c <= '9') || ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z'); }

int __craig_toupper(int c) { return 'a' <= c && c <= 'z' ? c - 32 : c; }

int __craig_tolower(int c) { return 'A' <= c && c <= 'Z' ? c + 32 : c; }
