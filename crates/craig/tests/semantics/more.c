// More of all classes.

//: object_size safe
int main(void) { char b[10]; assert(__builtin_object_size(b, 0) == 10 || __builtin_object_size(b, 0) == (size_t)-1); return 0; }

//: strtok_r safe
int main(void) { char b[] = "a b"; char *s; char *t = strtok_r(b, " ", &s); assert(t == b && !strcmp(t, "a")); t = strtok_r(0, " ", &s); assert(*t == 'b'); assert(!strtok_r(0, " ", &s)); return 0; }

//: sizeof_ptr_bug error
int main(void) { int *p = malloc(32); if (!p) return 0; memset(p, 0, sizeof p); int x = p[7]; assert(x == 0); free(p); return 0; }

//: snprintf_large_size safe
int main(void) { char b[4]; snprintf(b, 100, "hi"); return 0; }

//: pthread refused
#include <pthread.h>
static void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }

//: fork_refused refused
#include <unistd.h>
int main(void) { int x = 0; if (fork() == 0) x = 1; assert(x == 0); return 0; }

//: signal_refused refused
#include <signal.h>
static int g; static void h(int s) { g = 1; } int main(void) { signal(SIGINT, h); assert(g == 0); return 0; }

//: ndebug safe
#undef assert
#define assert(x) ((void)0)
int main(void) { assert(0); return 0; }

//: assert_effect safe
int main(void) { int n = 0; assert(++n); assert(n++ == 1); assert(n == 2); return 0; }

//: const_enum_overflow safe
enum { BIG = INT_MAX }; int main(void) { long x = BIG + 1L; assert(x == 2147483648L); return 0; }

//: const_overflow overflow -
int main(void) { int x = INT_MAX + 1; return x; }

//: neg_literal_shift shift -
int main(void) { int x = 1 << -1; return x; }

//: static_in_loop safe
int main(void) { for (int i = 0; i < 3; i++) { static int n; n++; if (i == 2) assert(n == 3); } return 0; }

//: alloca_loop safe
int main(void) { char *t[3]; for (int i = 0; i < 3; i++) { t[i] = __builtin_alloca(1); *t[i] = i; } assert(*t[0] == 0 && *t[2] == 2); return 0; }

//: nested_union_init safe
struct s { int k; union { struct { char a, b; }; union { short h; unsigned char c[2]; }; }; }; int main(void) { struct s s = {1, {.a = 3}}; assert(s.k == 1 && s.a == 3 && s.b == 0 && s.c[0] == 3); struct s t = {.h = 0x0102, .k = 4}; assert(t.a == 2 && t.b == 1 && t.k == 4); return 0; }

//: union_fn error 777
static int g; static void f(void) { g = 1; } union u { void (*f)(void); unsigned long l; }; int main(void) { union u u = {f}; unsigned long l = u.l; union u v; v.l = l; if (nint() == 777) v.f(); assert(!g); return 0; }

//: ptr_in_bitwise_or error 777
int main(void) { int x = 0; uintptr_t lo = (uintptr_t)&x & 0xffff, hi = (uintptr_t)&x & ~(uintptr_t)0xffff; if (nint() == 777) *(int *)(lo | hi) = 1; assert(!x); return 0; }

//: ptr_plus_diff error 777
static char pool[16]; int main(void) { char *a = pool + 2, *b = pool + 10; long d = b - a; if (nint() == 777) a[d] = 1; assert(!pool[10]); return 0; }

//: ptr_table_2d error 777
static int x, y; static int *t[2][2] = {{&x, &x}, {&y, &x}}; int main(void) { int i = nint() == 777; *t[i][0] = 1; assert(!y); return 0; }

//: ptr_via_struct_bytes error 777
struct a { int *p; }; struct b { unsigned char raw[sizeof(int *)]; }; int main(void) { int x = 0; struct a a = {&x}, c; struct b b = *(struct b *)&a; *(struct b *)&c = b; if (nint() == 777) *c.p = 1; assert(!x); return 0; }

//: ptr_from_string_index safe
int main(void) { const char *s = "hello"; const char *e = s + strlen(s); int n = 0; while (s != e) { s++; n++; } assert(n == 5); return 0; }

//: linked_static error 777
struct n { int v; struct n *next; }; static struct n b = {2, 0}, a = {1, &b}; int main(void) { struct n *p = &a; while (p->next) p = p->next; if (nint() == 777) p->v = 9; assert(b.v == 2); return 0; }

//: list_uaf memory -
struct n { int v; struct n *next; }; int main(void) { struct n *a = malloc(sizeof *a); if (!a) return 0; a->next = 0; struct n *p = a; free(p); p = p->next; return p != 0; }

//: tree_rec safe
struct t { int k; struct t *l, *r; }; static int sum(struct t *t) { return t ? t->k + sum(t->l) + sum(t->r) : 0; } int main(void) { struct t a = {1, 0, 0}, b = {2, 0, 0}, c = {3, &a, &b}; assert(sum(&c) == 6); return 0; }

//: matrix_ptr safe
static int det(int (*m)[2]) { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; } int main(void) { int m[2][2] = {{1, 2}, {3, 4}}; assert(det(m) == -2); return 0; }

//: char_freq safe
int main(void) { const char *s = "banana"; int c[26] = {0}; for (; *s; s++) c[*s - 'a']++; assert(c[0] == 3 && c['n' - 'a'] == 2); return 0; }

//: reverse safe
int main(void) { char s[] = "abcd"; for (int i = 0, j = strlen(s) - 1; i < j; i++, j--) { char t = s[i]; s[i] = s[j]; s[j] = t; } assert(!strcmp(s, "dcba")); return 0; }

//: swap_xor_alias error 777
static void swap(int *a, int *b) { *a ^= *b; *b ^= *a; *a ^= *b; } int main(void) { int x = 5, y = 6; swap(&x, nint() == 777 ? &x : &y); assert(x == 6); return 0; }

//: binsearch safe
int main(void) { int a[5] = {1, 3, 5, 7, 9}, lo = 0, hi = 5, k = nint(); assume(k == 7 || k == 1); while (lo < hi) { int m = lo + (hi - lo) / 2; if (a[m] < k) lo = m + 1; else hi = m; } assert(lo < 5 && a[lo] == k); return 0; }

//: ring memory 8
static int buf[8]; int main(void) { unsigned h = nuint(); assume(h <= 8); buf[h] = 1; h = (h + 1) % 8; buf[h] = 2; return 0; }

//: bit_set_clear safe
int main(void) { unsigned x = nuint(); int b = nint(); assume(b >= 0 && b < 32); unsigned y = x | 1u << b; assert(y >> b & 1); y &= ~(1u << b); assert(!(y >> b & 1)); return 0; }

//: parity_loop safe
int main(void) { unsigned char x = nuint(); int p = 0; for (int i = 0; i < 8; i++) p ^= x >> i & 1; assert(p == 0 || p == 1); return 0; }

//: crc_step safe
int main(void) { unsigned char c = 0x5a; for (int i = 0; i < 8; i++) c = c & 0x80 ? c << 1 ^ 7 : c << 1; assert(c == 0x89 || c != 0x89); return 0; }

//: gray safe
int main(void) { for (unsigned i = 0; i < 8; i++) { unsigned g = i ^ i >> 1, n = g, s; for (s = g >> 1; s; s >>= 1) n ^= s; assert(n == i); } return 0; }

//: utf8_len safe
static int len(unsigned char c) { return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4; } int main(void) { unsigned char c = nuint(); int n = len(c); assert(n >= 1 && n <= 4); return 0; }

//: fixed_point safe
int main(void) { short a = nint(); int x = a * 256; assert(x >> 8 == a); return 0; }

//: sat_add safe
static int add(int a, int b) { if (b > 0 && a > INT_MAX - b) return INT_MAX; if (b < 0 && a < INT_MIN - b) return INT_MIN; return a + b; } int main(void) { int r = add(nint(), 5); assert(r >= INT_MIN + 5); return 0; }

//: mid_overflow overflow 2147483647,2147483647
int main(void) { int a = nint(), b = nint(); assume(a >= 0 && b >= 0); int m = (a + b) / 2; return m < 0; }

//: abs_diff overflow
int main(void) { int a = nint(), b = nint(); int d = a > b ? a - b : b - a; return d < 0; }

//: loop_sum_overflow overflow -
int main(void) { int s = 1; for (int i = 0; i < 40; i++) s *= 2; return s; }

//: unsigned_loop_down memory -
int main(void) { int a[3] = {0}; for (unsigned i = 2; i >= 0; i--) a[i] = 1; return 0; }

//: size_t_minus memory -
int main(void) { char s[1] = ""; char b[4] = {0}; size_t n = strlen(s); return b[n - 1]; }

//: getline_style memory -
int main(void) { char b[4]; int i = 0, c; while ((c = getchar()) != EOF && c != '\n') b[i++] = c; return i; }

//: getline_ok safe
int main(void) { char b[4]; int i = 0, c; while (i < 3 && (c = getchar()) != EOF && c != '\n') b[i++] = c; b[i] = 0; assert(strlen(b) <= 3); return 0; }

//: env_str memory -
int main(void) { char b[8]; char *h = getenv("HOME"); if (h) strcpy(b, h); return 0; }

//: double_close safe
static int fd = 3; static void cl(void) { if (fd >= 0) fd = -1; } int main(void) { cl(); cl(); assert(fd == -1); return 0; }

//: vtable_cast error 777
struct base { int (*get)(struct base *); }; struct der { struct base b; int v; }; static int get(struct base *b) { return ((struct der *)b)->v; } int main(void) { struct der d = {{get}, 5}; struct base *p = &d.b; if (nint() == 777) d.v = 6; assert(p->get(p) == 5); return 0; }

//: downcast_bad memory
struct base { int t; }; struct der { struct base b; int v; }; int main(void) { struct base b = {1}; struct der *d = (struct der *)&b; return d->v; }

//: self_ptr_copy error 777
struct s { int *p; int v; }; int main(void) { struct s a = {0, 1}, b; a.p = &a.v; b = a; if (nint() == 777) *b.p = 2; assert(a.v == 1); return 0; }

//: arr_in_struct_ret safe
struct v { int d[3]; }; static struct v add(struct v a, struct v b) { for (int i = 0; i < 3; i++) a.d[i] += b.d[i]; return a; } int main(void) { struct v a = {{1, 2, 3}}, b = add(a, a); assert(b.d[2] == 6 && a.d[2] == 3); return 0; }

//: comma_lhs safe
int main(void) { int a = 1, b = 2; int *p = (a++, &b); *p = a; assert(b == 2 && a == 2); return 0; }

//: ternary_struct safe
struct s { int a, b; }; int main(void) { struct s x = {1, 2}, y = {3, 4}; int c = nint(); struct s z = c ? x : y; assert(z.a + 1 == z.b); return 0; }

//: cond_ptr_types safe
int main(void) { int x = 1; void *v = &x; int *p = nint() ? v : &x; assert(*p == 1); return 0; }

//: ilp32_ptr_size safe --data-model ilp32
struct s { char c; void *p; long l; long long m; }; int main(void) { assert(sizeof(struct s) == 20); assert(sizeof(long double) == 12); return 0; }

//: ilp32_mul_wrap safe --data-model ilp32
int main(void) { size_t n = 0x40000001; assert(n * 4 == 4); unsigned long m = 0xffffffff; assert(m + 1 == 0); return 0; }

//: ilp32_malloc_wrap memory - --data-model ilp32
int main(void) { size_t n = 0x40000001; int *p = malloc(n * sizeof *p); if (!p) return 0; p[1] = 1; free(p); return 0; }

//: ilp32_shift shift - --data-model ilp32
int main(void) { long x = 1; int n = nint(); assume(n == 32); return x << n != 0; }

//: lp64_shift safe
int main(void) { long x = 1; int n = nint(); assume(n == 32); assert(x << n == 4294967296L); return 0; }

//: atomic_byte safe
int main(void) { int x = 0x100; assert(!__atomic_test_and_set(&x, __ATOMIC_SEQ_CST)); assert(x == 0x101); assert(__atomic_test_and_set(&x, __ATOMIC_SEQ_CST)); __atomic_clear((char *)&x + 1, __ATOMIC_SEQ_CST); assert(x == 1); return 0; }

//: atomic_flag_ safe
#include <stdatomic.h>
int main(void) { atomic_flag f = ATOMIC_FLAG_INIT; assert(!atomic_flag_test_and_set(&f)); assert(atomic_flag_test_and_set(&f)); atomic_flag_clear(&f); assert(!atomic_flag_test_and_set(&f)); return 0; }

//: atomic_ptr_gcc safe
int main(void) { int a[4] = {1, 2, 3, 4}; int *p = a; int *o = __atomic_fetch_add(&p, 8, __ATOMIC_SEQ_CST); assert(o == a && *p == 3); o = __sync_fetch_and_add(&p, 4); assert(*p == 4 && *o == 3); return 0; }

//: atomic_small safe
int main(void) { unsigned char c = 255; assert(__sync_fetch_and_add(&c, 1) == 255 && c == 0); assert(__sync_add_and_fetch(&c, 257) == 1); signed char s = 127; __atomic_add_fetch(&s, 1, 0); assert(s == -128); assert(__sync_fetch_and_nand(&c, 1) == 1 && c == 254); assert(__sync_bool_compare_and_swap(&c, 254, 7) && __sync_val_compare_and_swap(&c, 1, 2) == 7); return 0; }
