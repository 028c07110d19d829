// What functions of the C library do, return and ask for.

//: memcpy_overlap memory 1
int main(void) { char b[8] = "abcdefg"; int n = nint() == 1 ? 4 : 2; memcpy(b + 2, b, n); return b[3]; }

//: memcpy_same memory -
int main(void) { struct { int a[4]; } s = {{1, 2, 3, 4}}; memcpy(&s, &s, sizeof s); assert(s.a[3] == 4); return 0; }

//: memmove_ok safe
int main(void) { char b[8] = "abcdefg"; memmove(b + 2, b, 4); assert(b[2] == 'a' && b[5] == 'd' && b[6] == 'g'); memmove(b, b + 1, 3); assert(b[0] == 'b'); return 0; }

//: memmove_structs safe
struct s { char c; int i; }; int main(void) { struct s a[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}}; memmove(a + 1, a, 3 * sizeof *a); assert(a[1].i == 10 && a[2].c == 2 && a[3].i == 30); memmove(&a[0].i, &a[1].i, 4); assert(a[0].i == 10); return 0; }

//: memcpy_too_long memory 9
int main(void) { char a[8], b[8] = {0}; unsigned n = nuint(); assume(n <= 9); memcpy(a, b, n); return 0; }

//: memcpy_neg memory -1
int main(void) { char a[8], b[8] = {0}; int n = nint(); if (n == -1) memcpy(a, b, n); return 0; }

//: memset_neg_value safe
int main(void) { int x; memset(&x, -1, sizeof x); assert(x == -1); memset(&x, 0x101, 4); assert(x == 0x01010101); return 0; }

//: memset_partial safe
int main(void) { int a[2] = {-1, -1}; memset(a, 0, 6); assert(a[0] == 0 && a[1] == (int)0xffff0000); return 0; }

//: memcmp_sign safe
int main(void) { unsigned char a[2] = {1, 200}, b[2] = {1, 100}; assert(memcmp(a, b, 2) > 0 && memcmp(b, a, 2) < 0 && memcmp(a, b, 1) == 0); return 0; }

//: memcmp_value error
int main(void) { char a[1] = {3}, b[1] = {1}; assert(memcmp(a, b, 1) == 2); return 0; }

//: memcmp_value1 error
int main(void) { char a[1] = {3}, b[1] = {1}; assert(memcmp(a, b, 1) == 1); return 0; }

//: memchr safe
int main(void) { char s[] = "hello"; char *p = memchr(s, 'l', 5); assert(p == s + 2); assert(!memchr(s, 'z', 6)); assert(memchr(s, 256 + 'e', 5) == s + 1); return 0; }

//: memchr_read memory 1
int main(void) { char s[3] = {1, 2, 3}; return memchr(s, 9, 3 + (nint() == 1)) != 0; }

//: strlen_unterminated memory 1
int main(void) { char s[3] = {'a', 'b', nint() == 1 ? 'c' : 0}; return strlen(s); }

//: strcpy_fits safe
int main(void) { char b[4]; strcpy(b, "abc"); assert(!strcmp(b, "abc")); return 0; }

//: strcpy_over memory
int main(void) { char b[3]; strcpy(b, "abc"); return b[0]; }

//: strcpy_overlap memory
int main(void) { char b[10] = "abcdef"; strcpy(b + 1, b); return 0; }

//: strncpy_pads safe
int main(void) { char b[6] = "zzzzz"; strncpy(b, "ab", 5); assert(b[1] == 'b' && b[2] == 0 && b[4] == 0); strncpy(b, "abcdefgh", 3); assert(b[2] == 'c' && b[3] == 0); return 0; }

//: strncpy_no_nul memory
int main(void) { char b[3]; strncpy(b, "abc", 3); return strlen(b); }

//: strncat_room memory
int main(void) { char b[5] = "ab"; strncat(b, "cdef", 3); return b[0]; }

//: strncat_fits safe
int main(void) { char b[6] = "ab"; strncat(b, "cdef", 3); assert(!strcmp(b, "abcde")); return 0; }

//: strcmp_sign safe
int main(void) { assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("", "") == 0 && strcmp("a", "ab") < 0 && strcmp("\xff", "a") > 0); return 0; }

//: strcmp_one error
int main(void) { assert(strcmp("b", "a") == 1); return 0; }

//: strncmp safe
int main(void) { assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("ab", "abc", 5) < 0 && strncmp("x", "y", 0) == 0); return 0; }

//: strncmp_bounded safe
int main(void) { char a[2] = {'a', 'b'}, b[2] = {'a', 'c'}; assert(strncmp(a, b, 2) < 0); return 0; }

//: strchr_nul safe
int main(void) { const char *s = "abc"; assert(strchr(s, 0) == s + 3 && strrchr(s, 'a') == s && !strchr(s, 'z')); return 0; }

//: strstr_empty safe
int main(void) { const char *s = "abc"; assert(strstr(s, "") == s && strstr(s, "bc") == s + 1 && !strstr(s, "bd")); return 0; }

//: strspn safe
int main(void) { assert(strspn("aab1", "ab") == 3 && strcspn("xy,z", ",") == 2 && strspn("", "a") == 0 && *strpbrk("hello", "ol") == 'l'); return 0; }

//: strtok safe
int main(void) { char b[] = ",a,,bc"; char *t = strtok(b, ","); assert(t == b + 1 && !strcmp(t, "a")); t = strtok(0, ","); assert(!strcmp(t, "bc")); assert(!strtok(0, ",")); return 0; }

//: strtok_literal memory
int main(void) { char *t = strtok("a,b", ","); return t != 0; }

//: strtol_forms safe
int main(void) { char *e; assert(strtol(" -12x", &e, 10) == -12 && *e == 'x'); assert(strtol("0x1f", 0, 16) == 31 && strtol("0x1f", 0, 0) == 31 && strtol("017", 0, 0) == 15 && strtol("zz", &e, 36) == 1295); const char *s = "xyz"; assert(strtol(s, &e, 10) == 0 && e == s); assert(strtol("0x", &e, 16) == 0 && *e == 'x'); return 0; }

//: strtol_range safe
#include <errno.h>
int main(void) { errno = 0; assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE); errno = 0; assert(strtol("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE); assert(strtoul("-1", 0, 10) == ULONG_MAX); return 0; }

//: atoi safe
int main(void) { assert(atoi("42abc") == 42 && atoi("  -7") == -7 && atoi("x") == 0 && atol("123456789012") == 123456789012); return 0; }

//: errno_kept safe
#include <errno.h>
int main(void) { errno = 5; int *p = &errno; assert(*p == 5); *p = 3; assert(errno == 3); return 0; }

//: errno_zero_start safe
#include <errno.h>
int main(void) { assert(errno == 0); return 0; }

//: errno_malloc safe
#include <errno.h>
int main(void) { errno = 0; void *p = malloc(10); if (p) {} free(p); return 0; }

//: ctype_ranges safe
#include <ctype.h>
int main(void) { unsigned char c = nuint(); if (isdigit(c)) assert(c >= '0' && c <= '9' && isalnum(c) && isxdigit(c) && !isalpha(c)); if (isupper(c)) assert(tolower(c) == c + 32); assert(toupper('a') == 'A' && toupper('1') == '1'); assert(!isspace('x') && isspace('\n') && isblank('\t') && ispunct('!') && iscntrl(3) && !isprint(127) && isgraph('a')); assert(isdigit(EOF) == 0); return 0; }

//: ctype_value error
#include <ctype.h>
int main(void) { assert(isalpha('a') == 1); return 0; }

//: ctype_bad memory -
#include <ctype.h>
int main(void) { int c = nint(); return isalpha(c) != 0; }

//: snprintf_result safe
int main(void) { char b[4]; int n = snprintf(b, sizeof b, "%d", 12345); assert(n < 0 || (n == 5 && !strcmp(b, "123"))); return 0; }

//: snprintf_null safe
int main(void) { int n = snprintf(NULL, 0, "%s-%c", "ab", 'z'); assert(n < 0 || n == 4); return 0; }

//: sprintf_over memory
int main(void) { char b[4]; sprintf(b, "%d", 12345); return b[0]; }

//: sprintf_exact safe
int main(void) { char b[16]; int n = sprintf(b, "%5d|%-3x|%03u", -42, 10, 7); assert(n < 0 || !strcmp(b, "  -42|a  |007")); return 0; }

//: sprintf_width_over memory 9
int main(void) { char b[8]; int w = nint(); assume(w >= 0 && w < 10); sprintf(b, "%*d", w, 1); return 0; }

//: printf_n safe
int main(void) { int n = 0; printf("abc%n", &n); assert(n == 3 || n == 0); return 0; }

//: printf_null_str memory
int main(void) { char *s = 0; char b[20]; sprintf(b, "%s", s); return 0; }

//: printf_unterminated memory
int main(void) { char s[2] = {'a', 'b'}; char b[20]; sprintf(b, "%s", s); return 0; }

//: printf_precision safe
int main(void) { char s[2] = {'a', 'b'}; char b[20]; sprintf(b, "%.2s", s); assert(b[0] == 'a' || 1); return 0; }

//: scanf_result error
int main(void) { int x = 5; int n = scanf("%d", &x); if (n == 1) assert(x != 12); return 0; }

//: scanf_fail safe
int main(void) { int x = 5; int n = scanf("%d", &x); if (n <= 0) assert(x == 5); assert(n >= -1 && n <= 1); return 0; }

//: scanf_str_over memory
int main(void) { char b[4]; if (scanf("%s", b) == 1) return b[0]; return 0; }

//: scanf_str_width safe
int main(void) { char b[4]; if (scanf("%3s", b) == 1) assert(strlen(b) <= 3 && strlen(b) >= 1); return 0; }

//: sscanf safe
int main(void) { int a, b; char w[8]; int n = sscanf("12:34 abc", "%d:%d %7s", &a, &b, w); assert(n == 3 && a == 12 && b == 34 && !strcmp(w, "abc")); n = sscanf("x", "%d", &a); assert(n == 0); n = sscanf("", "%d", &a); assert(n == -1); return 0; }

//: getchar_range safe
int main(void) { int c = getchar(); assert(c >= -1 && c <= 255); char d = c; if (d == (char)EOF) assert(c == -1 || c == 255); return 0; }

//: getchar_truncated error
int main(void) { unsigned char c = getchar(); assert(c != 255); return 0; }

//: fgets_len safe
int main(void) { char b[5]; if (!fgets(b, sizeof b, stdin)) return 0; assert(strlen(b) <= 4); return 0; }

//: fgets_empty error
int main(void) { char b[5]; if (!fgets(b, sizeof b, stdin)) return 0; assert(strlen(b) > 0); return 0; }

//: fgets_too_long memory
int main(void) { char b[5]; fgets(b, 6, stdin); return 0; }

//: fread_part error
int main(void) { unsigned char b[4] = {0}; size_t n = fread(b, 1, 4, stdin); assert(n <= 4); assert(n < 4 || b[3] != 9); return 0; }

//: rand_range safe
int main(void) { int r = rand(); assert(r >= 0 && r <= RAND_MAX); srand(5); int d = rand() % 6 + 1; assert(d >= 1 && d <= 6); return 0; }

//: rand_repeat error
int main(void) { assert(rand() == rand()); return 0; }

//: abs_div safe
int main(void) { div_t d = div(-7, 2); assert(d.quot == -3 && d.rem == -1); ldiv_t l = ldiv(7, -2); assert(l.quot == -3 && l.rem == 1); assert(abs(-5) == 5 && labs(-5L) == 5 && llabs(-9LL) == 9); return 0; }

//: exit_stops safe
int main(void) { if (nint()) exit(0); else _Exit(1); assert(0); }

//: abort_stops safe
int main(void) { if (nint() == 3) abort(); assert(1); return 0; }

//: atexit_runs error 1
static int x; static void bye(void) { assert(x == 0); } int main(void) { atexit(bye); x = nint(); return 0; }

//: atexit_order safe
static int n; static void a(void) { assert(n == 1); n = 2; } static void b(void) { assert(n == 0); n = 1; } int main(void) { atexit(a); atexit(b); return 0; }

//: atexit_not_abort safe
static void bye(void) { assert(0); } int main(void) { atexit(bye); abort(); }

//: atexit_Exit safe
static void bye(void) { assert(0); } int main(void) { atexit(bye); _Exit(0); }

//: atexit_exit error
static void bye(void) { assert(0); } static void f(void) { exit(0); } int main(void) { atexit(bye); f(); return 0; }

//: qsort_unstable error
struct e { int k, v; }; static int cmp(const void *a, const void *b) { return ((struct e *)a)->k - ((struct e *)b)->k; } int main(void) { struct e t[2] = {{1, 1}, {1, 2}}; qsort(t, 2, sizeof *t, cmp); assert(t[0].v == 1); return 0; }

//: qsort_callback_counts error
static int n; static int cmp(const void *a, const void *b) { n++; return *(int *)a - *(int *)b; } int main(void) { int a[3] = {3, 2, 1}; qsort(a, 3, sizeof *a, cmp); assert(n == 0); return 0; }

//: qsort_bounds memory
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; } int main(void) { int a[3] = {3, 2, 1}; qsort(a, 4, sizeof *a, cmp); return 0; }

//: time_any error
#include <time.h>
int main(void) { time_t t; time_t r = time(&t); assert(r == t); assert(r != 5); return 0; }

//: strerror safe
int main(void) { char *s = strerror(2); assert(s != 0); return 0; }

//: math_exact safe
#include <math.h>
int main(void) { assert(fabs(-2.5) == 2.5 && floor(-1.5) == -2 && ceil(1.2) == 2 && sqrt(9.0) == 3 && fmod(7, 3) == 1 && trunc(-1.7) == -1 && round(2.5) == 3 && fmax(1, 2) == 2 && fmin(1, NAN) == 1 && copysign(1, -0.0) == -1 && pow(2, 10) == 1024); return 0; }

//: math_of_variables safe
#include <math.h>
static double of(double (*f)(double, double), double x, double y) { return f(x, y); }
int main(void) { double zero = nint() == 1 ? 0.0 : -0.0, one = cos(0.0); int i; assert(one == 1 && cosh(0.0f) == 1 && erfc(0.0) == 1); for (i = 0; i < 4; i++) assert(of(pow, 3, i) == (i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 9 : 27)); assert(of(pow, 2, -2) == 0.25 && of(pow, -2, 3) == -8 && isnan(of(pow, -1, 0.5)) && of(hypot, -3, 4) == 5 && of(hypot, one, 0) == 1); double inf = one / 0.0; assert(exp(-inf) == 0 && exp(inf) == inf && exp2(-inf) == 0 && expm1(-inf) == -1 && tanh(inf) == 1 && cosh(-inf) == inf && sinh(-inf) == -inf && isnan(tan(inf)) && log1p(-1 * one) == -inf && isnan(log1p(-2 * one))); assert(of(atan2, 0, 1) == 0 && fabs(of(atan2, 1, zero) - 1.5707963267948966) < 4e-15 && fabs(of(atan2, one, -0.0) - 1.5707963267948966) < 4e-15 && fabs(of(atan2, 0, -1) - 3.141592653589793) < 4e-15 && of(atan2, -0.0, -1) < -3.14); return 0; }

//: complex_quotients safe
#include <complex.h>
int main(void) { double complex a = 1.0 + 2.0 * I, b = 3.0 + 4.0 * I, q = a / b; assert(creal(q) == 0.44 && cimag(q) == 0.08 && a / a == 1 && cabs(b) == 5); q = 10 / b; assert(creal(q) > 1.19 && creal(q) < 1.21 && cimag(q) == -1.6); float complex f = 2.0f - 6.0f * I; f /= 1.0f + 1.0f * I; assert(crealf(f) == -2 && cimagf(f) == -4); long double complex l = 5.0L; l /= 2.0L + 1.0L * I; assert(creall(l) == 2 && cimagl(l) == -1); assert(carg(1.0 * I) > 1.5 && carg(1.0 * I) < 1.6 && cproj(b) == b); return 0; }

//: complex_quotient_open error
#include <complex.h>
int main(void) { double complex a = 1.0 + 2.0 * I, b = 3.0 + 4.0 * I; assert(creal(a / b) == 0.5); return 0; }

//: isnan safe
#include <math.h>
int main(void) { double z = 0; assert(isnan(z / z) && isinf(1 / z) && !isfinite(1 / z) && signbit(-z) && !(z / z == z / z)); return 0; }

//: div_by_zero_lib memory
int main(void) { div_t d = div(1, nint()); return d.quot; }

//: stpcpy safe
#define _GNU_SOURCE 1
extern char *stpcpy(char *, const char *);
int main(void) { char b[8]; char *e = stpcpy(b, "ab"); assert(e == b + 2 && *e == 0); return 0; }

//: strnlen safe
extern size_t strnlen(const char *, size_t);
int main(void) { char b[3] = {1, 1, 1}; assert(strnlen(b, 3) == 3 && strnlen("ab", 9) == 2); return 0; }

//: strcasecmp safe
#include <strings.h>
int main(void) { assert(strcasecmp("AbC", "aBc") == 0 && strncasecmp("ABx", "abY", 2) == 0 && strcasecmp("a", "B") < 0); return 0; }

//: puts_result safe
int main(void) { int r = puts("x"); assert(r >= 0 || r == EOF); r = putchar('a'); assert(r == 'a' || r == EOF); return 0; }

//: fopen_null memory
int main(void) { FILE *f = fopen("x", "r"); return fgetc(f); }

//: fclose_twice memory -
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; fclose(f); fclose(f); return 0; }

//: memmem_none safe
int main(void) { wchar_t w[] = L"ab"; assert(sizeof w == 12 && w[1] == 'b' && w[2] == 0); return 0; }

//: sprintf_width_argument safe
int main(void) { char b[64]; sprintf(b, "%*d|%-*d|%*d|%.*s|%0*d|%0*.*d", 4, 7, 4, 7, -4, 7, 2, "abc", 5, 42, 6, 3, 9); assert(!strcmp(b, "   7|7   |7   |ab|00042|   009")); return 0; }

//: sprintf_width_input safe
int main(void) { char b[16]; int w = nint(); if (w < -9 || w > 9) return 0; int n = sprintf(b, "%*d", w, 42); assert(n >= 2 && n <= 9); return 0; }

//: sscanf_sets safe
int main(void) { char s[8], c = 0; assert(sscanf("abc1", "%3[a-b]", s) == 1 && !strcmp(s, "ab")); assert(sscanf("abc", "%*2c%c", &c) == 1 && c == 'c'); assert(sscanf("x=1", "%7[^=]=%c", s, &c) == 2 && !strcmp(s, "x") && c == '1'); assert(sscanf("9", "%[a-z]", s) == 0); assert(sscanf("]-", "%[]-]", s) == 1 && s[1] == '-'); return 0; }

//: sscanf_characters safe
int main(void) { char s[4] = "zzz"; assert(sscanf("ab", "%2c", s) == 1 && s[0] == 'a' && s[1] == 'b' && s[2] == 'z'); assert(sscanf("", "%2c", s) == EOF); return 0; }

//: sscanf_set_over memory
int main(void) { char s[3]; return sscanf("abcd", "%[a-d]", s) == 7; }

//: scan_percent safe
int main(void) { int v = 7; int n = sscanf(" ", "%%,%2x", &v); assert(n == -1); n = sscanf("", "a%d", &v); assert(n == -1); n = sscanf(" ", " a%d", &v); assert(n == -1); n = sscanf(" % 5", "%%%d", &v); assert(n == 1 && v == 5); n = sscanf("7", "%d%%%d", &v, &v); assert(n == 1); n = sscanf("7 ", "%d%%%d", &v, &v); assert(n == 1); n = sscanf("x", "%%%d", &v); assert(n == 0); return 0; }

//: printf_result assume --output-never-fails
int main(void) { int n = printf("%d-%s", 12, "abc"); assert(n == 6); assert(putchar('a') == 'a'); assert(puts("x") >= 0); return 0; }

//: printf_may_fail error
int main(void) { int n = printf("%d-%s", 12, "abc"); assert(n == 6); return 0; }

//: printf_fails_below_zero safe
int main(void) { int n = printf("%d-%s", 12, "abc"); assert(n == 6 || n < 0); n = putchar('a'); assert(n == 'a' || n == EOF); return 0; }

//: wide_numbers safe
#include <wchar.h>
#include <wctype.h>
int main(void) { wchar_t *end; assert(wcstol(L" -12x", &end, 10) == -12 && *end == L'x'); assert(iswctype(L'a', wctype("alpha")) && !iswctype(L'1', wctype("alpha"))); return 0; }

//: date_of_a_time safe
#include <time.h>
int main(void) { time_t t = 951782400; struct tm *m = gmtime(&t); assert(m->tm_year == 100 && m->tm_mon == 1 && m->tm_mday == 29 && m->tm_wday == 2 && m->tm_yday == 59); return 0; }

//: unused_arguments_of_main safe
int main(int argc, char **argv) { int x = 0; for (int i = 0; i < 1000; i++) x += i % 7; assert(x == 2997); return 0; }

//: greatest_zero error
#include <math.h>
int main(void) { assert(!signbit(fmax(0.0, -0.0))); return 0; }

//: greatest_number safe
#include <math.h>
int main(void) { assert(fmax(0.0, -0.0) == 0 && !signbit(fmax(0.0, 0.0)) && fmax(1.0, NAN) == 1 && fmin(-1.0, 2.0) == -1); return 0; }

//: through_pointers safe
static void *(*make)(size_t) = malloc; static void *(*copy)(void *, const void *, size_t) = memcpy; static void (*leave)(int) = exit; int main(void) { char b[4] = { 1, 2, 3, 4 }; char *p = make(4); if (!p) return 0; copy(p, b, 4); assert(p[0] == 1 && p[3] == 4); free(p); leave(0); assert(0); return 0; }

//: freed_through_pointer memory -
static void (*release)(void *) = free; int main(void) { char *p = malloc(1); if (!p) return 0; *p = 1; release(p); return *p; }

//: compared_pointers safe
static void (*release)(void *) = free; int main(void) { assert(release == free); release = 0; assert(release != free); return 0; }

//: overlap_strcpy memory 12345
int main(void) { char b[8] = "abcdef"; strcpy(b, b + (nint() == 12345 ? 2 : 6)); return 0; }

//: overlap_strcpy_apart safe
int main(void) { char b[12] = "abc"; strcpy(b + 4, b); strcpy(b + 8, b + 5); assert(b[4] == 'a' && b[8] == 'b'); return 0; }

//: overlap_strncpy memory 12345
int main(void) { char b[8] = "abcdef"; strncpy(b, b + 2, nint() == 12345 ? 3 : 2); return 0; }

//: overlap_strncpy_end safe
int main(void) { char b[12] = "ab"; strncpy(b + 3, b, 9); assert(b[4] == 'b' && b[11] == 0); return 0; }

//: overlap_strcat memory 12345
int main(void) { char b[12] = "ab\0cd"; strcat(b, nint() == 12345 ? b + 3 : "cd"); return 0; }

//: overlap_wcscpy memory -
#include <wchar.h>
int main(void) { wchar_t b[8] = L"abcdef"; wcscpy(b, b + (nint() == 12345 ? 2 : 6)); return 0; }

//: overlap_wmemcpy memory -
#include <wchar.h>
int main(void) { wchar_t b[8] = L"abcdef"; wmemcpy(b, b + 2, nint() == 12345 ? 3 : 2); return 0; }

//: sprintf_of_its_own_text memory -
int main(void) { char b[20] = "abc"; sprintf(b, "%s", b); return 0; }

//: snprintf_over_its_argument memory -
int main(void) { char b[20] = "abc"; snprintf(b + 2, 18, "<%s>", b); return 0; }

//: sprintf_after_its_argument safe
int main(void) { char b[20] = "abc"; sprintf(b + 4, "%s", b); assert(b[4] == 'a' && b[7] == 0); assert(snprintf(b, 0, "%s", b) == 3 && snprintf(0, 0, "%s%s", b, b) == 6); return 0; }

//: sort_any_three safe
static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) { int x = nint(), y = nint(), a[3] = {x, y, 5}; qsort(a, 3, sizeof(int), by); assert(a[0] <= a[1] && a[1] <= a[2] && (a[0] == 5 || a[1] == 5 || a[2] == 5)); return 0; }

//: sort_known safe
static int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = {3, 1, 2}; qsort(a, 3, sizeof(int), by); assert(a[0] == 1 && a[1] == 2 && a[2] == 3); return 0; }

//: sort_compares_any_two overflow -
static int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = {INT_MIN, 7, nint() == 12345 ? INT_MAX : -2}; qsort(a, 3, sizeof(int), by); return 0; }

//: sort_counts error -
static int calls; static int by(const void *a, const void *b) { calls++; return *(const char *)a - *(const char *)b; }
int main(void) { char a[3] = {3, 1, 2}; qsort(a, 3, 1, by); assert(calls == 3); return 0; }

//: sort_keeps_no_order error -
struct s { char key, value; }; static int by(const void *a, const void *b) { return ((const struct s *)a)->key - ((const struct s *)b)->key; }
int main(void) { struct s a[3] = {{1, 1}, {1, 2}, {0, 0}}; qsort(a, 3, sizeof a[0], by); assert(a[0].value == 0); assert(a[1].value == 1); return 0; }

//: search_three safe
static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) { int a[3] = {1, 4, 9}, k = nint(); int *p = bsearch(&k, a, 3, sizeof(int), by); assert((p != 0) == (k == 1 || k == 4 || k == 9)); if (p) assert(*p == k); return 0; }

//: search_finds_any_equal error -
static int by(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) { char a[3] = {1, 4, 4}, k = 4; assert((char *)bsearch(&k, a, 3, 1, by) == a + 1); return 0; }

//: search_compares_any_element division -
static int by(const void *a, const void *b) { return *(const char *)a - 12 / *(const char *)b; }
int main(void) { char a[3] = {12, 3, nint() == 12345 ? 0 : 1}, k = 4; bsearch(&k, a, 3, 1, by); return 0; }

//: locale safe
#include <locale.h>
int main(void) { assert(strcmp(setlocale(LC_ALL, 0), "C") == 0 && setlocale(LC_NUMERIC, "C") != 0);
struct lconv *l = localeconv(); assert(strcmp(l->decimal_point, ".") == 0 && *l->grouping == 0 && l->frac_digits == CHAR_MAX); return 0; }

//: locale_of_any_name error -
#include <locale.h>
int main(void) { assert(setlocale(LC_ALL, "")); return 0; }

//: posix_calls_succeed_or_fail safe
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <dirent.h>
#include <pthread.h>
#include <unistd.h>
static struct { pthread_mutex_t lock; int n; } box = { PTHREAD_MUTEX_INITIALIZER, 3 };
int main(void) {
    struct stat s; char link[8], name[] = "aXXXXXX"; int status, file;
    int r = stat("x", &s); assert(r == 0 || r == -1);
    long n = readlink("y", link, sizeof link); assert(-1 <= n && n <= 8);
    int end = socket(AF_INET, SOCK_STREAM, 0); assert(end >= -1);
    int child = waitpid(-1, &status, 0); assert(child == -1 || child > 0);
    file = mkstemp(name); assert(file >= -1 && name[0] == 'a' && name[7] == 0);
    pthread_mutex_lock(&box.lock); box.n++; pthread_mutex_unlock(&box.lock); assert(box.n == 4);
    return 0;
}

//: link_has_no_end memory
#include <unistd.h>
int main(void) { char link[8] = { 0 }; long n = readlink("y", link, sizeof link); if (n < 0) return 0; link[n] = 0; return 0; }

//: folder_is_closed_once memory
#include <dirent.h>
int main(void) { DIR *d = opendir("."); if (!d) return 0; closedir(d); return readdir(d) != 0; }

//: complex_builtins safe
int main(void) { double _Complex z = __builtin_complex(1.0, 2.0), w = __builtin_conj(z); assert(__builtin_creal(w) == 1 && __builtin_cimag(w) == -2); return 0; }

//: remainders_are_exact safe
#include <math.h>
static double of(double (*f)(double, double), double x, double y) { return f(x, y); }
static int quotient(double x, double y) { int q; remquo(x, y, &q); return q; }
int main(void) {
    assert(of(fmod, 7.5, 2) == 1.5 && of(fmod, -7.5, 2) == -1.5 && of(fmod, 1e300, 3) == 0 && of(fmod, 5, -5) == 0 && of(fmod, 5, INFINITY) == 5);
    assert(signbit(of(fmod, -4, 2)) && signbit(of(remainder, -2, 2)) && isnan(of(fmod, 1, 0)) && isnan(of(remainder, INFINITY, 1)));
    assert(of(remainder, 5, 2) == 1 && of(remainder, 7, 2) == -1 && of(remainder, 3, 2) == -1 && of(remainder, 1e300, 7) == 1);
    assert(quotient(7, 2) % 8 == 4 && quotient(-7, 2) == -4 && quotient(-1, 4) == 0 && quotient(5, 4) == 1);
    return 0;
}

//: remainder_found error
#include <math.h>
int main(void) { int n = nint(); if (n > 0 && n < 100 && fmod(n, 2.5) == 1.5) assert(0); return 0; }

//: remainder_below safe
#include <math.h>
double __VERIFIER_nondet_double(void);
int main(void) { double angle = 0; while (nint()) { double d = __VERIFIER_nondet_double(); if (d >= -10 && d <= 10) angle = fmod(angle + d, 360.0); assert(angle < 360 && angle > -360); } return 0; }
