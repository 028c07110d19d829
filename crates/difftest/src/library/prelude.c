// What the programs with random calls have in common: results are mixed into a sum, and arguments are made.
#define _GNU_SOURCE
#include <features.h>
// With what GNU adds, addresses of sockets are unions of pointers, which no model takes.
#undef __USE_GNU
#include <sys/socket.h>
#define __USE_GNU 1
#include <arpa/inet.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static unsigned sum;
static void mix(unsigned long long x) { sum = sum * 31u + (unsigned)x + (unsigned)(x >> 32); }
static void text(const char *s) { while (*s) mix((unsigned char)*s++); }
static void wides(const wchar_t *s) { while (*s) mix(*s++); }
static void bytes(const char *s) { for (int i = 0; i < 16; i++) mix((unsigned char)s[i]); }
static int sign(int x) { return (x > 0) - (x < 0); }
static double same(double x) { return x; }
static int whole(int x) { return x; }
static void real(double x) { unsigned long long u; if (x != x) x = 7; memcpy(&u, &x, 8); mix(u); }
static void realf(float x) { real(x); }
static void reall(long double x) {
    unsigned long long u[2] = {0, 0};
    if (x != x) x = 7;
    memcpy(u, &x, 10); mix(u[0]); mix(u[1]);
}
static void fill(int *v, int n, int seed) { for (int i = 0; i < n; i++) v[i] = (seed >> i) % 9; }
static void sorted(int *v, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && v[j - 1] > v[j]; j--) { int t = v[j]; v[j] = v[j - 1]; v[j - 1] = t; }
}
static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_int_and(const void *a, const void *b, void *more) { return by_int(a, b); }
static int v_snprintf(char *to, size_t n, const char *f, ...) { va_list v; va_start(v, f); int r = vsnprintf(to, n, f, v); va_end(v); return r; }
static int v_sprintf(char *to, const char *f, ...) { va_list v; va_start(v, f); int r = vsprintf(to, f, v); va_end(v); return r; }
static int v_asprintf(char **to, const char *f, ...) { va_list v; va_start(v, f); int r = vasprintf(to, f, v); va_end(v); return r; }
static int v_printf(const char *f, ...) { va_list v; va_start(v, f); int r = vprintf(f, v); va_end(v); return r; }
static int v_fprintf(FILE *to, const char *f, ...) { va_list v; va_start(v, f); int r = vfprintf(to, f, v); va_end(v); return r; }
static int v_dprintf(int to, const char *f, ...) { va_list v; va_start(v, f); int r = vdprintf(to, f, v); va_end(v); return r; }
static void day(struct tm *m) {
    mix(m->tm_year); mix(m->tm_mon); mix(m->tm_mday); mix(m->tm_hour); mix(m->tm_min); mix(m->tm_sec);
    mix(m->tm_wday); mix(m->tm_yday);
}
static unsigned long long state;
static unsigned next(void) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33);
}
static unsigned below(unsigned n) { return next() % n; }
static char texts[8][48];
static int turn;
static char *any_text(void) {
    char *t = texts[turn++ & 7];
    unsigned n = below(12);
    for (unsigned i = 0; i < n; i++) t[i] = "abAB,; 1"[below(8)];
    t[n] = 0;
    return t;
}
static wchar_t wide_texts[4][16];
static wchar_t *any_wide(void) {
    wchar_t *t = wide_texts[turn++ & 3];
    char *s = any_text();
    int n = 0;
    for (; s[n]; n++) t[n] = s[n];
    t[n] = 0;
    return t;
}
static char *any_digits(unsigned most) {
    static const char *const spaces[3] = {"", " ", "\t "}, *const signs[3] = {"", "-", "+"};
    static const char *const prefixes[5] = {"", "", "0x", "0", "0X"}, *const rests[4] = {"", "g", " 1", "-"};
    char *t = texts[turn++ & 7];
    unsigned n, i, end = 0;
    const char *part[3], *rest;
    part[0] = spaces[below(3)];
    part[1] = signs[below(3)];
    part[2] = prefixes[below(5)];
    rest = rests[below(4)];
    for (i = 0; i < 3; i++) for (; *part[i]; part[i]++) t[end++] = *part[i];
    n = below(most);
    for (i = 0; i < n; i++) t[end++] = "01279aFz"[below(8)];
    for (; *rest; rest++) t[end++] = *rest;
    t[end] = 0;
    return t;
}
static int any_int(void) {
    static const int special[5] = {2147483647, -2147483647, 0, 255, 4096};
    unsigned kind = below(4), more = next();
    return kind == 0 ? (int)(more % 20) - 10 : kind == 1 ? special[more % 5] : (int)(more ^ 0x40000000u) / 3;
}
static long long any_long(void) { long long high = any_int(); return high * 4294967296ll + next(); }
static int any_of(const int *list, unsigned n) { return list[below(n)]; }
static const int divisors[6] = {1, 2, -3, 7, 1000, -65536}, bases[6] = {0, 2, 8, 10, 16, 36};
static const int rounding[4] = {0, 0x400, 0x800, 0xc00};
static double any_small(void) { return ((int)below(2000000) - 1000000) / 1024.0; }
static double any_double(void) {
    static const double special[10] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e300, INFINITY, -INFINITY, NAN};
    unsigned kind = below(5), more = next();
    if (kind == 0) return special[more % 10];
    if (kind == 1) return ((int)(more % 40) - 20) + 0.5;
    if (kind == 2) return (double)any_long() * 1e-3;
    if (kind == 3) return (double)any_int() * 1e-12;
    return any_small();
}
static double any_real(void) { return any_double(); }
static float any_realf(void) { return (float)any_double(); }
static long double any_reall(void) {
    long double x = any_double(), y = any_small();
    return next() % 2 ? x : x + y * 1e-18L;
}
static char *any_number(void) {
    static char t[48];
    unsigned end = 0, n = 1 + below(9), dot = below(12), i;
    if (below(3) == 0) t[end++] = '-';
    for (i = 0; i < n; i++) {
        if (i == dot) t[end++] = '.';
        t[end++] = "0123456789"[below(10)];
    }
    if (below(3) == 0) { t[end++] = 'e'; if (below(2)) t[end++] = '-'; t[end++] = '1' + below(9); if (below(2)) t[end++] = '0' + below(10); }
    t[end] = 0;
    return t;
}
static wchar_t *widened(const char *s) {
    static wchar_t t[4][48];
    wchar_t *to = t[turn++ & 3];
    int n = 0;
    for (; s[n]; n++) to[n] = s[n];
    to[n] = 0;
    return to;
}
static const char *const classes[13] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower",
                                        "print", "punct", "space", "upper", "xdigit", "none"};
