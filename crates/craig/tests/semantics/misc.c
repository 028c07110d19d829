// Variable arguments, floating point, indices, null, and what comes after undefined behaviour.

//: va_types safe
static long f(const char *s, ...) { va_list ap; va_start(ap, s); long r = 0; for (; *s; s++) switch (*s) { case 'i': r += va_arg(ap, int); break; case 'l': r += va_arg(ap, long); break; case 'd': r += (long)va_arg(ap, double); break; case 'p': r += *va_arg(ap, int *); break; } va_end(ap); return r; } int main(void) { int x = 5; assert(f("ildp", 1, 20L, 300.5, &x) == 326); return 0; }

//: va_promote safe
static int f(int n, ...) { va_list ap; va_start(ap, n); int c = va_arg(ap, int); double d = va_arg(ap, double); va_end(ap); return c + (int)d; } int main(void) { char c = -1; float g = 2.5f; assert(f(1, c, g) == 1); return 0; }

//: va_copy safe
static int f(int n, ...) { va_list a, b; va_start(a, n); va_arg(a, int); va_copy(b, a); int x = va_arg(a, int), y = va_arg(b, int); va_end(a); va_end(b); return x * 10 + y; } int main(void) { assert(f(0, 1, 2, 3) == 22); return 0; }

//: va_too_many memory
static int f(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i <= n; i++) s += va_arg(ap, int); va_end(ap); return s; } int main(void) { return f(2, 1, 2); }

//: va_none memory
static int f(int n, ...) { va_list ap; va_start(ap, n); int s = va_arg(ap, int); va_end(ap); return s; } int main(void) { return f(0); }

//: va_discard safe
static int f(int n, ...) { va_list ap; va_start(ap, n); va_arg(ap, int); (void)va_arg(ap, int); int s = va_arg(ap, int); va_end(ap); return s; } int main(void) { assert(f(0, 1, 2, 3) == 3); return 0; }

//: va_forward safe
static int v(va_list ap) { int a = va_arg(ap, int); return a * 10 + va_arg(ap, int); } static int f(int n, ...) { va_list ap; va_start(ap, n); int r = v(ap); va_end(ap); return r; } int main(void) { assert(f(0, 4, 2) == 42); return 0; }

//: va_fn_ptr safe
static int f(int n, ...) { va_list ap; va_start(ap, n); int r = va_arg(ap, int) + n; va_end(ap); return r; } int main(void) { int (*g)(int, ...) = f; assert(g(1, 2) == 3); return 0; }

//: fl_compare safe
int main(void) { float f = 0.1f; double d = 0.1; assert(f > d); assert(f == (float)d); assert(0.1f + 0.2f == 0.3f || 1); assert(1e308 * 10 > 1e308); return 0; }

//: fl_nan safe
int main(void) { double z = 0, n = z / z; assert(!(n < 1) && !(n >= 1) && n != n && !(n == n)); int r = n > 0 ? 1 : 2; assert(r == 2); return 0; }

//: fl_negzero safe
int main(void) { double z = 0.0, m = -0.0; assert(z == m && 1 / z != 1 / m); return 0; }

//: fl_int_exact safe
int main(void) { int x = nint(); double d = x; assert((int)d == x); return 0; }

//: fl_int_lossy error
int main(void) { int x = nint(); assume(x > 16777216 && x < 16777300); float f = x; assert((int)f == x); return 0; }

//: fl_trunc_neg safe
int main(void) { double d = -2.7; assert((int)d == -2 && (long)2.999 == 2 && (unsigned char)(int)d == 254); return 0; }

//: fl_round_half error
int main(void) { double d = __VERIFIER_nondet_double(); assume(d >= 0 && d <= 10); int r = (int)(d + 0.5); assert(r - d < 0.5); return 0; }

//: fl_assoc error
int main(void) { double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(); assume(a > 0 && a < 1e30 && b > 0 && b < 1e30); assert(a + b > a); return 0; }

//: fl_const_fold safe
static const double c = 1.0 / 3.0; int main(void) { double x = 1.0, y = 3.0; assert(x / y == c); return 0; }

//: fl_promote safe
int main(void) { float a = 16777216.0f, b = 1.0f; assert(a + b == 16777216.0f); assert((double)a + b == 16777217.0); return 0; }

//: fl_bool safe
int main(void) { _Bool b = 0.3; assert(b == 1); b = 0.0; assert(!b); double z = 0; b = z / z; assert(b); return 0; }

//: fl_switch safe
int main(void) { switch ((int)2.9) { case 2: return 0; } assert(0); }

//: fl_inc safe
int main(void) { float f = 1.5f; f++; f += 1; assert(f == 3.5f); double d = 5; d /= 2; assert(d == 2.5); int i = 5; i /= 2.0; assert(i == 2); i *= 1.5; assert(i == 3); return 0; }

//: cplx_ptr_expr safe
int main(void) { int a[3] = {1, 2, 3}; int *p = a; assert(*p++ == 1 && *p == 2); assert(*++p == 3); assert(p[-1] == 2 && *(p - 2) == 1 && 2[a] == 3 && &a[3] - a == 3); return 0; }

//: ptr_diff_type safe
int main(void) { int a[4]; ptrdiff_t d = &a[1] - &a[3]; assert(d == -2); assert((char *)&a[3] - (char *)a == 12); return 0; }

//: ptr_cmp_same safe
int main(void) { int a[4]; assert(&a[0] < &a[1] && a + 4 > a && &a[1] <= &a[1]); struct { int x, y; } s; assert(&s.x < &s.y); return 0; }

//: ptr_cmp_unrelated safe
int main(void) { int a, b; assert(&a < &b || &b < &a); return 0; }

//: void_arith safe
int main(void) { char b[4]; void *p = b; assert((char *)(p + 2) == b + 2 && sizeof(void) == 1); return 0; }

//: array_of_fn safe
static int a(int x) { return x + 1; } static int b(int x) { return x * 2; } int main(void) { int (*t[2])(int) = {a, b}; int i = nint() & 1; int r = t[i](5); assert(r == 6 || r == 10); return 0; }

//: fn_returns_fn safe
static int inc(int x) { return x + 1; } static int (*get(void))(int) { return inc; } int main(void) { assert(get()(4) == 5 && (*get())(1) == 2); return 0; }

//: struct_cmp_copy safe
struct p { int x, y; }; int main(void) { struct p a = {1, 2}, b = a; b.x = 5; assert(a.x == 1 && b.y == 2); struct p *q = &a; struct p c = *q; q->y = 9; assert(c.y == 2); return 0; }

//: struct_self_assign safe
struct p { int x[3]; }; int main(void) { struct p a = {{1, 2, 3}}; struct p *q = &a; a = *q; assert(a.x[2] == 3); return 0; }

//: struct_overlap_copy safe
union u { struct { int a[3]; } x; struct { int pad; struct { int a[3]; } y; } z; }; int main(void) { union u u = {{{1, 2, 3}}}; memmove(&u.z.y, &u.x, 12); assert(u.z.y.a[2] == 3); return 0; }

//: struct_ret_mod safe
struct s { int a[2]; }; static struct s f(struct s s) { s.a[0]++; return s; } int main(void) { struct s s = {{1, 2}}; struct s t = f(f(s)); assert(t.a[0] == 3 && s.a[0] == 1); return 0; }

//: nested_struct_arr safe
struct in { short a[2]; }; struct out { struct in i[2]; int k; }; int main(void) { struct out o = {{{{1, 2}}, {{3, 4}}}, 5}, p = o; p.i[1].a[0] = 9; assert(o.i[1].a[0] == 3 && p.i[1].a[1] == 4 && p.k == 5); return 0; }

//: big_index memory
static int a[10]; int main(void) { unsigned i = nuint(); if (i < 11) a[i] = 1; return 0; }

//: neg_index memory -1
static int a[10]; int main(void) { int i = nint(); if (i < 10 && i >= -1) a[i] = 1; return 0; }

//: off_by_one memory
int main(void) { char b[4]; for (int i = 0; i <= 4; i++) b[i] = 0; return 0; }

//: index_wrap memory 0
int main(void) { unsigned char b[4] = {0}; unsigned i = nuint(); assume(i == 0); return b[i - 1]; }

//: index_const memory
int main(void) { int a[4]; a[4] = 1; return 0; }

//: index_2d_const safe
int main(void) { int m[2][3]; m[1][2] = 4; assert(*(*(m + 1) + 2) == 4 && ((int *)m)[5] == 4); return 0; }

//: struct_last_byte memory
struct s { char a[3]; }; int main(void) { struct s s = {{1, 2, 3}}; char *p = s.a; return p[3]; }

//: addr_of_past safe
int main(void) { int a[3] = {1, 2, 3}, s = 0; for (int *p = a; p != &a[3]; p++) s += *p; assert(s == 6); return 0; }

//: deref_past memory
int main(void) { int a[3] = {1, 2, 3}; int *p = a + 3; return *p; }

//: null_member memory
struct s { int a, b; }; int main(void) { struct s *p = nint() ? 0 : malloc(8); if (nint() == 3) return p->b; return 0; }

//: null_struct_copy memory
struct s { int a, b; }; int main(void) { struct s *p = 0, s; s = *p; return s.a; }

//: null_array memory
int main(void) { int *p = 0; return p[3]; }

//: null_fn_arg memory
static int f(int *p) { return *p; } int main(void) { return f(nint() ? 0 : (int[]){1}); }

//: null_memset memory
int main(void) { char *p = 0; memset(p, 0, 3); return 0; }

//: int_to_ptr_access memory
int main(void) { *(volatile int *)0x1000 = 1; return 0; }

//: after_ub undefined --check error
int main(void) { int *p = 0; int x = *p; assert(x != x); return 0; }

//: after_ub2 undefined --check error
int main(void) { int a[2] = {0}; a[nint() ? 2 : 3] = 1; assert(0); return 0; }

//: after_ub3 safe --check error
int main(void) { int x = INT_MAX; x += 1; assert(0); return 0; }

//: after_ub4 safe --check error
int main(void) { char *p = malloc(1); if (!p) return 0; free(p); *p = 1; assert(0); return 0; }

//: after_ub5 safe --check error
int main(void) { char *p = "a"; p[0] = 'b'; assert(0); return 0; }

//: after_ub6 undefined --check error
int main(void) { void (*f)(void) = 0; f(); assert(0); return 0; }

//: after_ub7 safe --check error
int main(void) { int n = 40; int x = 1 << n; assert(0); return x; }

//: after_ub8 safe --check error
int main(void) { int z = 0; int x = 5 % z; assert(0); return x; }

//: after_ub9 undefined --check error
int main(void) { int x; free(&x); assert(0); return 0; }

//: after_ub10 safe --check error
int main(void) { char *p = malloc(4); if (!p) return 0; free(p); free(p); assert(0); return 0; }

//: after_ub11 safe --check error
static const int c = 1; int main(void) { *(int *)&c = 2; assert(0); return 0; }

//: after_ub12 safe - --check error
int main(void) { double d = 1e30; int x = d; assert(0); return x; }

//: after_ub13 safe --check error
int main(void) { int *p; { int x = 1; p = &x; } int y = *p; assert(0); return y; }

//: after_ub15 undefined - --check error
static int f(int a) { return a; } int main(void) { int r = ((int (*)(void))f)(); assert(0); return r; }

//: after_ub16 undefined --check error
int main(void) { char b[4]; memcpy(b + 1, b, 3); assert(0); return 0; }

//: after_ub17 undefined --check error
int main(void) { char b[3] = {1, 1, 1}; int n = strlen(b); assert(0); return n; }

//: after_ub18 safe - --check error
int main(void) { const int c = 1; *(int *)&c = 2; assert(0); return 0; }

//: after_ub19 undefined --check error
int main(void) { char a[2]; strcpy(a, "toolong"); assert(0); return 0; }

//: after_ub20 undefined --check error
int main(void) { int n = -1; int a[n]; a[0] = 1; assert(0); return 0; }

//: va_arg_of_wider memory
static int f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int); va_end(a); return r; } int main(void) { return f(1, 5LL) > 0; }

//: va_arg_of_double memory
static int f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int); va_end(a); return r; } int main(void) { return f(1, 2.5) > 0; }

//: va_arg_of_unsigned safe
static unsigned f(int n, ...) { va_list a; va_start(a, n); unsigned r = va_arg(a, unsigned); va_end(a); return r; } int main(void) { assert(f(1, 2) == 2); return 0; }

//: va_arg_one_by_one safe
static double f(int n, ...) { va_list a; va_start(a, n); double r = va_arg(a, int); r += va_arg(a, double); r += *va_arg(a, int *); va_end(a); return r; } int main(void) { int x = 4; assert(f(3, 1, 2.5, &x) == 7.5); return 0; }

//: more_arguments_than_parameters error
// A function that is defined without a prototype gets more than it has parameters for, through a pointer.
static void *no_parameters() {
    assert(0);
    return 0;
}
static void call_it(void *(*routine)(void *), void *with) {
    routine(with);
}
int main(void) {
    call_it(no_parameters, 0);
    return 0;
}

//: exponential_of_a_long_constant assume
// What is known of functions of constants is known of `long double` too.
long double expl(long double);
int main(void) {
    long double e = expl(1.0L);
    assert(e > 2.718L && e < 2.719L);
    return 0;
}

//: volatile_given assume
volatile int v = 7; int main(void) { assert(v == 7); return 0; }

//: volatile_flag error
volatile int v = 0; int main(void) { while (!v) ; assert(0); return 0; }
//: fl_moved_nan safe
struct n { double d; char c[4]; float f; }; int main(void) { struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q); double z = 0; if (!p || !q) return 0; for (unsigned i = 0; i < sizeof *p; i++) ((char *)p)[i] = -1; assert(!(p->d == 0.95) && p->d != 0.95 && p->f != 1.5f); p->d = 0.95; p->f = -1.5f; *q = *p; assert(q->d == 0.95 && -1.5f == q->f && q->f != 1.5f); ((char *)q)[7] ^= 0x80; assert(q->d == -0.95); q->d = z; assert(q->d == -0.0); free(p); free(q); return 0; }

//: fl_moved_alone safe
int main(void) { double *p = malloc(8), *q = malloc(8); float *f = malloc(4); if (!p || !q || !f) return 0; *p = nint() ? 2.5 : 0.95; *q = *p; *f = 0.1f; assert(*q == 0.95 || *q == 2.5); assert(*f == 0.1f && *f != 0.2f); if (*p != 2.5) assert(*q == 0.95); free(p); free(q); free(f); return 0; }

//: fl_moved_other error
int main(void) { double *p = malloc(8); if (!p) return 0; if (nint() == 77) *p = 1.25; else *p = 0.5; assert(*p == 0.5); free(p); return 0; }

//: record_arguments safe
struct pair { int a; long b; }; struct big { char text[20]; int n; }; static long sum(int n, ...) { va_list list; long r = 0; va_start(list, n); while (n--) { struct pair p = va_arg(list, struct pair); struct big b = va_arg(list, struct big); r += p.a + p.b + b.n + b.text[1] + va_arg(list, int); } va_end(list); return r; } int main(void) { struct pair p = { 1, 2 }; struct big b = { "xy", 3 }; assert(sum(2, p, b, 4, p, b, 5) == 2 * (1 + 2 + 3 + 'y') + 9); return 0; }

//: record_argument_of_another_type memory -
struct pair { int a, b; }; struct other { int a, b; }; static int f(int n, ...) { va_list list; va_start(list, n); struct other o = va_arg(list, struct other); va_end(list); return o.a; } int main(void) { struct pair p = { 1, 2 }; return f(1, p); }

//: record_argument_is_a_copy safe
struct pair { int a, b; }; static int f(int n, ...) { va_list list, again; va_start(list, n); va_copy(again, list); va_arg(list, struct pair).a; struct pair p = va_arg(again, struct pair); p.a = 7; va_end(list); va_end(again); return p.a + p.b; } int main(void) { struct pair p = { 1, 2 }; assert(f(1, p) == 9 && p.a == 1); return 0; }

//: union_argument safe
union word { int i; unsigned char b[4]; }; static int f(int n, ...) { va_list list; va_start(list, n); union word w = va_arg(list, union word); va_end(list); return w.b[0]; } int main(void) { union word w; w.i = 258; assert(f(1, w) == 2); return 0; }

//: no_value_used uninitialised - --check uninitialised
static int f(int x) { if (x > 3) return x; } int main(void) { int r = f(1); return r == 5; }

//: no_value_unused safe --check uninitialised
static int f(int x) { if (x > 3) return x; } static int g(int x) { f(x); (void)f(x); return x; } int main(void) { f(1); return g(2) - g(2); }

//: no_value_of_record error -
struct s { int a; }; static struct s f(int x) { struct s s = { x }; if (x > 3) return s; } int main(void) { f(5); struct s t = f(1); assert(t.a == 5); return 0; }

//: leak_but_for_a_number safe --check leak
static uintptr_t kept; int main(void) { kept = (uintptr_t)malloc(4); return 0; }

//: leak_of_a_number_lost leak --check leak
static uintptr_t kept; int main(void) { kept = (uintptr_t)malloc(4); kept = 7; return 0; }

//: not_modelled_where_nothing_leads safe
#include <setjmp.h>
static jmp_buf here; static int jumps(int n) { if (setjmp(here)) return 1; return n; } static int (*const table[])(int) = { jumps }; int main(void) { int n = nint(); assert(n == 0 || n != 0); return 0; }

//: not_modelled_behind_a_pointer refused
#include <setjmp.h>
static jmp_buf here; static int jumps(int n) { if (setjmp(here)) return 1; return n; } static int (*const table[])(int) = { jumps }; int main(void) { return table[0](nint()); }

//: not_modelled_by_the_name_of_the_library refused
size_t strlen(const char *s) { __builtin_apply_args(); return 3; } int main(void) { assert(strlen("abcd") == 3); return 0; }

//: vector_with_values safe
typedef int four __attribute__((vector_size(16))); int main(void) { four a = { 1, 2, 3, 4 }; int x[4]; memcpy(x, &a, 16); assert(x[1] == 2); return 0; }

//: vector_in_a_record_with_values safe
typedef int four __attribute__((vector_size(16))); struct s { int n; four a; }; int main(void) { struct s s = { 1, 2, 3 }; int x[4]; memcpy(x, &s.a, 16); assert(x[1] == 3); return 0; }

//: vectors_passed_around safe
typedef int four __attribute__((vector_size(16))); static four id(four a) { return a; } static int first(four a) { return a[0]; } int main(void) { int x[4] = { 1, 2, 3, 4 }, y[4]; four a, b; memcpy(&a, x, 16); b = id(a); memcpy(y, &b, 16); assert(y[2] == 3); return 0; }

//: complex_after_its_part safe
static _Float16 _Complex half; static __float128 _Complex quad; static _Complex double whole; int main(void) { assert(sizeof half == 4 && sizeof quad == 32 && sizeof whole == 16); return 0; }

//: condition_read_twice memory 5
int main(void) { int a[4] = {0}, i = nint(); if (0 <= i && i < 10) assert(a[i] == a[i]); return 0; }

//: condition_divides division 0
int main(void) { int z = nint(); return 10 / z == 10 / z; }

//: condition_or_true memory 5
int main(void) { int a[4] = {0}, i = nint(); return 0 <= i && i < 10 ? a[i] || 1 : 0; }

//: condition_same_choice memory 5
int main(void) { int a[4] = {0}, i = nint(); return 0 <= i && i < 10 ? (a[i] ? 3 : 3) : 0; }

//: condition_beyond_truth overflow 2147483647
int main(void) { int i = nint(); return (i + 1 > 0) == 2; }

//: condition_guarded safe
int main(void) { int a[4] = {0}, i = nint(); return (0 <= i && i < 4 && a[i] == a[i]) || (1 || a[i]) || (0 && a[i]); }
