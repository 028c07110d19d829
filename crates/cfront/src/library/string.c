// <string.h> and <strings.h>, in the C locale. `memcpy`, `memmove`, `memset` and their relatives are lowered
// where they are called, by the types of what they are given.

typedef __typeof__(sizeof(0)) size_t;

int __craig_any_int(void);
_Bool __craig_any_bool(void);
char __craig_any_char(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);
void __craig_require(_Bool);
// Has to be there.
void __craig_use_byte(const void *);
void __craig_require_apart(const void *, const void *, size_t);
void *malloc(size_t);

// Comparisons promise the sign of their result and nothing else.
static int __craig_sign(int difference) {
    int result;
    if (difference == 0)
        return 0;
    result = __craig_any_int();
    if (!((result < 0) == (difference < 0) && result != 0))
        result = difference < 0 ? -1 : 1;
    return result;
}

static int __craig_lower(int c) {
    return 'A' <= c && c <= 'Z' ? c + 32 : c;
}

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
    __craig_require_apart(to, from, i + 1);
    return to;
}

char *__craig_stpcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    __craig_require_apart(to, from, i + 1);
    return to + i;
}

char *__craig_strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    __craig_require_apart(to, from, i < n ? i + 1 : n);
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *__craig_stpncpy(char *to, const char *from, size_t n) {
    size_t i = 0, end;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    __craig_require_apart(to, from, i < n ? i + 1 : n);
    for (end = i; i < n; i++)
        to[i] = 0;
    return to + end;
}

size_t __craig_strlcpy(char *to, const char *from, size_t size) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n + 1 < size)
            to[n] = from[n];
    if (size > 0)
        to[n < size ? n : size - 1] = 0;
    return n;
}

size_t __craig_strlcat(char *to, const char *from, size_t size) {
    size_t n = 0, i = 0;
    while (n < size && to[n])
        n++;
    for (; from[i]; i++)
        if (n + i + 1 < size)
            to[n + i] = from[i];
    if (n < size)
        to[n + i < size ? n + i : size - 1] = 0;
    return n + i;
}

char *__craig_strcat(char *to, const char *from) {
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    while ((to[n + i] = from[i]))
        i++;
    __craig_require_apart(to + n, from, i + 1);
    return to;
}

char *__craig_strncat(char *to, const char *from, size_t limit) {
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    for (; i < limit && from[i]; i++)
        to[n + i] = from[i];
    __craig_require_apart(to + n, from, i < limit ? i + 1 : i);
    to[n + i] = 0;
    return to;
}

int __craig_strcmp(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return __craig_sign((unsigned char)*a - (unsigned char)*b);
}

int __craig_strcoll(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return __craig_sign((unsigned char)*a - (unsigned char)*b);
}

int __craig_strncmp(const char *a, const char *b, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        if (a[i] != b[i] || !a[i])
            return __craig_sign((unsigned char)a[i] - (unsigned char)b[i]);
    }
    return 0;
}

int __craig_strcasecmp(const char *a, const char *b) {
    while (*a && __craig_lower((unsigned char)*a) == __craig_lower((unsigned char)*b)) {
        a++;
        b++;
    }
    return __craig_sign(__craig_lower((unsigned char)*a) - __craig_lower((unsigned char)*b));
}

int __craig_strncasecmp(const char *a, const char *b, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        int x = __craig_lower((unsigned char)a[i]), y = __craig_lower((unsigned char)b[i]);
        if (x != y || !x)
            return __craig_sign(x - y);
    }
    return 0;
}

size_t __craig_strxfrm(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; from[i]; i++)
        if (i < n)
            to[i] = from[i];
    if (i < n)
        to[i] = 0;
    return i;
}

char *__craig_strchr(const char *s, int c) {
    while (*s != (char)c) {
        if (!*s)
            return 0;
        s++;
    }
    return (char *)s;
}

char *__craig_index(const char *s, int c) {
    while (*s != (char)c) {
        if (!*s)
            return 0;
        s++;
    }
    return (char *)s;
}

char *__craig_strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
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

char *__craig_rindex(const char *s, int c) {
    char *last = 0;
    for (;; s++) {
        if (*s == (char)c)
            last = (char *)s;
        if (!*s)
            return last;
    }
}

// Whether the string contains the character.
static _Bool __craig_among(char c, const char *set) {
    while (*set) {
        if (*set == c)
            return 1;
        set++;
    }
    return 0;
}

size_t __craig_strspn(const char *s, const char *accept) {
    size_t n = 0;
    while (s[n] && __craig_among(s[n], accept))
        n++;
    return n;
}

size_t __craig_strcspn(const char *s, const char *reject) {
    size_t n = 0;
    while (s[n] && !__craig_among(s[n], reject))
        n++;
    return n;
}

char *__craig_strpbrk(const char *s, const char *accept) {
    for (; *s; s++)
        if (__craig_among(*s, accept))
            return (char *)s;
    return 0;
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

char *__craig_strcasestr(const char *text, const char *word) {
    for (;; text++) {
        size_t i = 0;
        while (word[i] && __craig_lower((unsigned char)text[i]) == __craig_lower((unsigned char)word[i]))
            i++;
        if (!word[i])
            return (char *)text;
        if (!*text)
            return 0;
    }
}

// The next token at `*rest`, which moves past it.
char *__craig_strtok_r(char *s, const char *separators, char **rest) {
    char *token;
    if (!s)
        s = *rest;
    while (*s && __craig_among(*s, separators))
        s++;
    if (!*s) {
        *rest = s;
        return 0;
    }
    token = s;
    while (*s && !__craig_among(*s, separators))
        s++;
    if (*s) {
        *s = 0;
        s++;
    }
    *rest = s;
    return token;
}

static char *__craig_strtok_rest;

char *__craig_strtok(char *s, const char *separators) {
    char *token;
    __craig_require(s || __craig_strtok_rest);
    if (!s)
        s = __craig_strtok_rest;
    while (*s && __craig_among(*s, separators))
        s++;
    if (!*s) {
        __craig_strtok_rest = s;
        return 0;
    }
    token = s;
    while (*s && !__craig_among(*s, separators))
        s++;
    if (*s) {
        *s = 0;
        s++;
    }
    __craig_strtok_rest = s;
    return token;
}

char *__craig_strsep(char **at, const char *separators) {
    char *token = *at, *s = token;
    if (!s)
        return 0;
    while (*s && !__craig_among(*s, separators))
        s++;
    if (*s) {
        *s = 0;
        *at = s + 1;
    } else {
        *at = 0;
    }
    return token;
}

char *__craig_strdup(const char *s) {
    size_t n = 0, i;
    char *copy;
    while (s[n])
        n++;
    copy = malloc(n + 1);
    if (!copy)
        return 0;
    for (i = 0; i <= n; i++)
        copy[i] = s[i];
    return copy;
}

char *__craig_strndup(const char *s, size_t limit) {
    size_t n = 0, i;
    char *copy;
    while (n < limit && s[n])
        n++;
    copy = malloc(n + 1);
    if (!copy)
        return 0;
    for (i = 0; i < n; i++)
        copy[i] = s[i];
    copy[n] = 0;
    return copy;
}

// All bytes are there, also those after a difference.
int __craig_memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    size_t i;
    for (i = 0; i < n; i++) {
        if (x[i] != y[i]) {
            __craig_use_byte(x + (n - 1));
            __craig_use_byte(y + (n - 1));
            return __craig_sign(x[i] - y[i]);
        }
    }
    return 0;
}

int __craig_bcmp(const void *a, const void *b, size_t n) {
    int difference = __craig_memcmp(a, b, n);
    return difference == 0 ? 0 : __craig_any_bool() ? __craig_sign(1) : __craig_sign(-1);
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

void *__craig_memrchr(const void *s, int c, size_t n) {
    const unsigned char *bytes = s;
    for (; n > 0; n--) {
        if (bytes[n - 1] == (unsigned char)c)
            return (void *)(bytes + n - 1);
    }
    return 0;
}

void *__craig_rawmemchr(const void *s, int c) {
    const unsigned char *bytes = s;
    while (*bytes != (unsigned char)c)
        bytes++;
    return (void *)bytes;
}

void *__craig_memmem(const void *text, size_t length, const void *word, size_t size) {
    const unsigned char *t = text, *w = word;
    size_t at, i;
    for (at = 0; size <= length && at <= length - size; at++) {
        for (i = 0; i < size && t[at + i] == w[i]; i++)
            ;
        if (i == size)
            return (void *)(t + at);
    }
    return 0;
}

void *__craig_memccpy(void *to, const void *from, int c, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    size_t i;
    for (i = 0; i < n; i++) {
        t[i] = f[i];
        if (f[i] == (unsigned char)c) {
            __craig_require_apart(to, from, i + 1);
            return t + i + 1;
        }
    }
    __craig_require_apart(to, from, n);
    return 0;
}

int __craig_ffs(int x) {
    return __builtin_ffs(x);
}

int __craig_ffsl(long x) {
    return __builtin_ffsl(x);
}

int __craig_ffsll(long long x) {
    return __builtin_ffsll(x);
}

// Some text, which the next call may change.
static char __craig_message[64];

char *__craig_strerror(int number) {
    size_t n = __craig_any_size(), i;
    if (!(0 < n && n < sizeof __craig_message))
        n = 1;
    for (i = 0; i < n; i++) {
        char c = __craig_any_char();
        if (c == 0)
            c = 'x';
        __craig_message[i] = c;
    }
    __craig_message[n] = 0;
    return __craig_message;
}

char *__craig_strsignal(int number) {
    size_t n = __craig_any_size(), i;
    if (!(0 < n && n < sizeof __craig_message))
        n = 1;
    for (i = 0; i < n; i++) {
        char c = __craig_any_char();
        if (c == 0)
            c = 'x';
        __craig_message[i] = c;
    }
    __craig_message[n] = 0;
    return __craig_message;
}
