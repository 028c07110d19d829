// Functions without a body, files, and functions under test.

//: writes_all error -
extern void fill(int *, int); int main(void) { int a[5] = {0}; fill(a + 1, 3); assert(a[4] == 0); return 0; }

//: writes_before error -
extern void fill(int *); int main(void) { int a[3] = {0}; fill(a + 2); assert(a[0] == 0); return 0; }

//: const_param error -
extern void look(const int *); int main(void) { int a = 0; look(&a); assert(a == 0); return 0; }

//: const_object safe -
extern void look(const int *); static const int c = 4; int main(void) { look(&c); assert(c == 4); return 0; }

//: literal_kept safe -
extern void look(const char *); int main(void) { const char *s = "abc"; look(s); assert(s[0] == 'a'); return 0; }

//: void_ptr error -
extern void fill(void *); struct s { char c; int i; double d; }; int main(void) { struct s s = {1, 2, 3.0}; fill(&s); assert(s.d == 3.0); return 0; }

//: ptr_to_ptr error -
extern void fill(int **); int main(void) { int x = 1, *p = &x; fill(&p); assert(x == 1); return 0; }

//: ptr_replaced error -
extern void fill(int **); int main(void) { int x = 1, *p = &x; fill(&p); assert(p == &x); return 0; }

//: nested_reach error -
struct n { int v; struct n *next; }; extern void walk(struct n *); int main(void) { struct n c = {3, 0}, b = {2, &c}, a = {1, &b}; walk(&a); assert(c.v == 3); return 0; }

//: by_value_ptr error -
struct h { int *p; int n; }; extern void use(struct h); int main(void) { int x = 1; struct h h = {&x, 1}; use(h); assert(x == 1); return 0; }

//: by_value_kept safe -
struct h { int a, n; }; extern void use(struct h); int main(void) { struct h h = {1, 1}; use(h); assert(h.a == 1); return 0; }

//: variadic_out error -
extern int get(const char *, ...); int main(void) { int x = 1; get("x", &x); assert(x == 1); return 0; }

//: callback_maybe assume -
static int g; static void cb(void) { g = 1; } extern void reg(void (*)(void)); int main(void) { reg(cb); assert(g == 0); return 0; }

//: callback_later error -
static int g; static void cb(void *p) { *(int *)p = 7; } extern void reg(void (*)(void *), void *); extern void poll(void); int main(void) { reg(cb, &g); g = 1; poll(); assert(g == 1); return 0; }

//: callback_asserts assume -
static void cb(int x) { assert(x < 10); } extern void each(void (*)(int)); int main(void) { each(cb); return 0; }

//: returned_ptr_any memory -
extern int *get(void); int main(void) { return *get(); }

//: returned_ptr_checked assume -
extern int *get(void); int main(void) { int *p = get(); if (p) *p = 3; return 0; }

//: returned_alias error -
extern int *pick(int *, int *); int main(void) { int a = 0, b = 0; int *p = pick(&a, &b); if (p) *p = 5; assert(a == 0); return 0; }

//: result_range safe -
extern unsigned char get(void); int main(void) { int x = get(); assert(x >= 0 && x <= 255); return 0; }

//: result_bool safe -
extern _Bool get(void); int main(void) { int x = get(); assert(x == 0 || x == 1); return 0; }

//: result_enum error -
enum e { A, B }; extern enum e get(void); int main(void) { assert(get() <= B); return 0; }

//: result_struct error -
struct s { int a, b; }; extern struct s get(void); int main(void) { struct s s = get(); assert(s.a != s.b + 7); return 0; }

//: result_twice error -
extern int get(void); int main(void) { assert(get() == get()); return 0; }

//: noreturn safe -
extern void die(void) __attribute__((noreturn)); int main(void) { int x = nint(); if (x < 0) die(); assert(x >= 0); return 0; }

//: local_not_given safe -
extern void f(void); int main(void) { int x = 1; f(); assert(x == 1); return 0; }

//: global_assumed assume -
int g = 1; extern void f(void); int main(void) { f(); assert(g == 1); return 0; }

//: static_global assume -
static int g = 1; extern void f(void); int main(void) { f(); assert(g == 1); return 0; }

//: int_as_ptr error -
extern void f(unsigned long); int main(void) { int x = 1; f((unsigned long)&x); assert(x == 1); return 0; }

//: array_2d error -
extern void f(int (*)[2]); int main(void) { int m[2][2] = {{0}}; f(m); assert(m[1][1] == 0); return 0; }

//: heap_given error -
extern void f(char *); int main(void) { char *p = calloc(4, 1); if (!p) return 0; f(p); assert(p[3] == 0); free(p); return 0; }

//: union_given error -
extern void f(void *); int main(void) { union { int i; char c[8]; } u = {0}; u.c[7] = 0; f(&u); assert(u.c[7] == 0); return 0; }

//: bitfield_given error -
struct b { unsigned a : 3, b : 5; }; extern void f(struct b *); int main(void) { struct b b = {1, 2}; f(&b); assert(b.b == 2); return 0; }

//: implicit_decl error -
int main(void) { int x = mystery(3); assert(x == 3); return 0; }

//: extern_fn_ptr assume -
extern int (*hook)(int); int main(void) { if (hook) { int r = hook(3); assert(r < 100000 || r >= 100000); } return 0; }

//: extern_fn_ptr_null memory -
extern int (*hook)(int); int main(void) { return hook(3); }

//: read_buf error -
#include <unistd.h>
int main(void) { char b[4] = {0}; if (read(0, b, 4) == 4) assert(b[3] != 'x'); return 0; }

//: read_len safe -
#include <unistd.h>
int main(void) { char b[4] = {0}; long n = read(0, b, 4); assert(n >= -1 && n <= 4); return 0; }

//: read_over memory -
#include <unistd.h>
int main(void) { char b[4]; read(0, b, 5); return 0; }

//: write_over memory -
#include <unistd.h>
int main(void) { char b[4] = {0}; write(1, b, 5); return 0; }

//: fwrite_over memory -
int main(void) { char b[4] = {0}; fwrite(b, 1, 5, stdout); return 0; }

//: puts_bad memory -
int main(void) { char b[2] = {'a', 'b'}; puts(b); return 0; }

//: stdin_there safe
int main(void) { assert(stdin != 0 && stdout != stderr); return 0; }

//: file_closed memory -
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; fclose(f); return fgetc(f); }

//: file_closed_twice memory -
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; fclose(f); fclose(f); return 0; }

//: file_ok safe
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; int c = fgetc(f); fclose(f); assert(c >= -1 && c < 256); return 0; }

//: file_cleanup safe - --check cleanup
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; fclose(f); return 0; }

//: entry_ptr memory - --entry f
int f(int *p) { return *p; }

//: entry_ptr_checked safe - --entry f
int f(int *p) { if (!p) return 0; *p = 3; assert(*p == 3); return *p; }

//: entry_alias error - --entry f
int f(int *p, int *q) { if (!p || !q) return 0; *p = 1; *q = 2; assert(*p == 1); return 0; }

//: entry_requires safe - --entry f --requires valid(b,n)&&n<=8
int f(char *b, int n) { for (int i = 0; i < n; i++) b[i] = 0; return 0; }

//: entry_requires_bad memory - --entry f --requires valid(b,n)&&n<=8&&n>=0
int f(char *b, int n) { for (int i = 0; i <= n; i++) b[i] = 0; return 0; }

//: entry_fresh safe - --entry f --requires fresh(p,4)&&fresh(q,4)
int f(int *p, int *q) { *p = 1; *q = 2; assert(*p == 1); return 0; }

//: entry_global assume - --entry f
int g = 1; int f(void) { assert(g == 1); return 0; }

//: entry_static assume - --entry f
int f(void) { static int n; n++; assert(n == 1); return 0; }

//: entry_fn_ptr memory - --entry f
int f(int (*g)(int)) { return g(1); }

//: entry_struct error - --entry f
struct s { int a; int *p; }; int f(struct s s) { if (s.p) assert(*s.p != s.a); return 0; }

//: entry_argc error - --entry f
int f(int argc) { assert(argc >= 0); return 0; }

//: error_fn error - --error-function bad
extern void bad(void); int main(void) { if (nint() == 3) bad(); return 0; }

//: verifier_error error -
extern void __VERIFIER_error(void); int main(void) { if (nint() == 3) __VERIFIER_error(); return 0; }

//: own_assert error -
void assert_own(int c) { if (!c) reach_error(); } int main(void) { assert_own(nint() != 3); return 0; }

// Functions of the program's own that are called as some that the library is made of.
//: names_of_helpers error
int length(unsigned long long); int main(void) { assert(length(5) == 3); return 0; }

//: names_of_helpers_of_numbers error
_Bool sign(double); int main(void) { assert(!sign(1.0)); return 0; }

//: names_of_helpers_of_streams error
int stream_put(int, void *); int main(void) { char s[256] = {0}; int r = stream_put(7, s); assert(r == 7 || r == -1); return 0; }

//: missing_argument_is_undefined memory --check memory
void a(b) int b; { } int main(void) { a(); return 0; }

//: scanned_list error
#include <stdarg.h>
static int scan(const char *s, const char *format, ...) { va_list a; va_start(a, format); int n = vsscanf(s, format, a); va_end(a); return n; }
int main(void) { int x = 3; scan("7", "%d", &x); assert(x == 3); return 0; }

//: list_outside assume
#include <stdarg.h>
int outside(int n, va_list a);
static int call(int n, ...) { va_list a; va_start(a, n); int r = outside(n, a); va_end(a); return r; }
int main(void) { int x = 3; call(1, &x); assert(x == 3); return 0; }

//: pointer_to_sscanf error 0
int main(void) { int (*f)(const char *, const char *, ...) = sscanf; int x = 1; f("5", "%d", &x); assert(x == 1); return 0; }

//: pointer_to_scanf error -
int main(void) { int (*f)(const char *, ...) = scanf; int x = 1; f("%d", &x); assert(x == 1); return 0; }

//: pointer_to_vsscanf error 0
static int scan(const char *s, const char *format, ...) { int (*f)(const char *, const char *, va_list) = vsscanf; va_list a; va_start(a, format); int n = f(s, format, a); va_end(a); return n; }
int main(void) { int x = 3; scan("7", "%d", &x); assert(x == 3); return 0; }

//: pointer_to_snprintf safe
int main(void) { int (*f)(char *, size_t, const char *, ...) = snprintf; char b[4]; int n = f(b, 4, "abc%d", 1); assert(n >= 0 && strlen(b) < 4); return 0; }

//: pointer_to_strlen safe
int main(void) { size_t (*f)(const char *) = strlen; assert(f("abc") == 3 && f == strlen); int (*p)(const char *, ...) = printf; assert(p == printf); return 0; }

//: list_counts error 0
static void say(const char *format, ...) { va_list a; va_start(a, format); vprintf(format, a); va_end(a); }
int main(void) { int n = 7; say("abc%n\n", &n); assert(n == 7); return 0; }

//: pointer_to_error error 12345
int main(void) { void (*f)(void) = reach_error; if (nint() == 12345) f(); return 0; }

//: pointer_to_defined_error error - --check error
void __VERIFIER_error(void) { } int main(void) { void (*f[2])(void) = { abort, __VERIFIER_error }; f[nint() == 12345](); return 0; }

//: pointer_to_assume safe
int main(void) { void (*f)(int) = assume; int x = nint(); f(x > 12345); assert(x != 12345); return 0; }

//: pointer_to_any safe
int main(void) { unsigned char (*f)(void) = __VERIFIER_nondet_uchar; int x = f(); assert(0 <= x && x < 256); return 0; }

//: pointer_to_fork refused
int fork(void); int main(void) { int (*f)(void) = fork; return f(); }

//: pointer_to_signal refused
void (*signal(int, void (*)(int)))(int); static void h(int n) { assert(0); } int main(void) { void (*(*f)(int, void (*)(int)))(int) = signal; f(2, h); return 0; }

//: name_of_function_in_brackets safe
int main(void) { char b[8]; int n = (snprintf)(b, 8, "%d", 12); n += (*&snprintf)(b, 8, "%d", 123); assert(n == 5 && b[2] == '3'); return 0; }

//: stored_ptr_checked assume -
struct t { int w; }; struct s { struct t *p; }; extern void fill(struct s *); int main(void) { struct s s = {0}; fill(&s); if (s.p) s.p->w = 3; return 0; }

//: stored_ptr_any memory -
struct t { int w; }; struct s { struct t *p; }; extern void fill(struct s *); int main(void) { struct s s = {0}; fill(&s); return s.p->w; }

//: stored_ptr_elsewhere safe -
struct t { int w; }; struct s { struct t *p; }; extern void fill(struct s *); static int g; int main(void) { int *q = &g; struct s s = {0}; fill(&s); if (s.p) s.p->w = 3; assert(*q == 0); return 0; }

//: stored_ptr_new error -
struct s { struct s *p; int v; }; extern void fill(struct s *); int main(void) { struct s s = {0, 0}; fill(&s); if (s.p && s.p != &s) assert(s.p->v != 3); return 0; }

//: stored_ptr_of_before error -
struct s { struct s *p; int v; }; extern void fill(struct s *); int main(void) { struct s s = {&s, 0}; fill(&s); if (s.p == &s) { s.v = 1; assert(s.p->v == 2); } return 0; }

//: stored_ptrs_differ error -
struct t { int w; }; struct s { struct t *l, *r; }; extern void fill(struct s *); int main(void) { struct s s = {0}; fill(&s); if (s.l && s.r) { s.l->w = 1; s.r->w = 2; assert(s.l->w == 2); } return 0; }

//: stored_ptr_unused safe -
struct t { struct t *more; int w; }; struct s { struct t *p; int v; }; extern void fill(struct s *); int main(void) { struct s s = {0}; int *q = &s.v; fill(&s); *q = 1; fill(&s); s.v = 2; assert(*q == 2); return 0; }

//: ptr_in_result assume -
struct t { int w; }; struct h { struct t *p; int n; }; extern struct h get(void); int main(void) { struct h h = get(); if (h.p) h.p->w = 1; return 0; }

//: ptr_elsewhere assume -
struct t { int w; }; extern struct t *known; int main(void) { if (known) { known->w = 3; assert(known->w == 3); } return 0; }

//: stored_void_ptr assume -
struct s { void *data; }; extern void fill(struct s *); int main(void) { struct s s = {0}; fill(&s); if (s.data) *(int *)s.data = 1; return 0; }

//: led_through_unseen error -
struct c { int v; }; struct b { struct c *c; int w; }; struct a { struct b *b; }; extern void fill(struct a *); int main(void) { static struct c c; static struct b b = {&c, 1}; static struct a a = {&b}; fill(&a); assert(c.v == 0); return 0; }

//: kept_by_unseen error -
struct c { int v; }; struct a { struct c *c; }; extern void store(struct a *, struct c *), fill(struct a *); int main(void) { static struct c c; static struct a a; store(&a, &c); c.v = 0; fill(&a); assert(c.v == 0); return 0; }

//: address_from_unseen error -
struct b { int *p; }; struct a { struct b *b; int *q; }; extern void fill(struct a *); int main(void) { static int x; static struct b b = {&x}; static struct a a = {&b, 0}; fill(&a); assert(a.q != &x); return 0; }

//: array_in_object error -
struct s { int v; int a[20]; }; extern void fill(struct s *); int main(void) { static struct s s; fill(&s); assert(s.a[3] == 0 || s.a[17] == 0 || s.v == 0); return 0; }

//: arrays_in_arrays error -
struct e { int n; int a[20]; }; struct s { struct e e[20]; }; extern void fill(struct s *); int main(void) { static struct s s; fill(&s); assert(s.e[1].a[3] == 0 || s.e[1].a[4] == 0 || s.e[2].n == 0); return 0; }

//: freed_from_outside assume -
struct s { char *p; }; extern void fill(struct s *); int main(void) { struct s s = {0}; fill(&s); free(s.p); return 0; }

//: argv_not_freed memory -
int main(int argc, char **argv) { free(argv); return 0; }

//: argv_string_not_freed memory -
int main(int argc, char **argv) { if (argc > 1) free(argv[1]); return 0; }

//: argv_lost safe --check leak
int main(int argc, char **argv) { if (argc > 1) argv[1] = 0; argv = 0; return 0; }

//: argv_written safe --check uninitialised
int main(int argc, char **argv) { if (argc > 1) return argv[1][0]; return 0; }

//: argv_of_32_bits safe --data-model ilp32
int main(int argc, char **argv) { return argc < 0; }

//: argv_used_with_32_bits safe --data-model ilp32 --check error
int main(int argc, char **argv) { if (argc > 1 && argv[1][0]) assert(argv[1] != argv[0]); return 0; }

//: environment_not_freed memory -
int main(void) { free(getenv("A")); return 0; }

//: environment_stays safe --check leak
int main(void) { char *a = getenv("A"); char *b = getenv("B"); return a && b; }

//: environment_not_cleaned safe --check cleanup
int main(void) { return getenv("A") != 0; }

//: alignment_refused safe
int main(void) { void *p = 0; int r = posix_memalign(&p, 3, 8); assert(r && !p); r = posix_memalign(&p, 24, 8); assert(r && !p); if (!posix_memalign(&p, 64, 8)) { assert((uintptr_t)p % 64 == 0); free(p); } return 0; }

//: arguments_are_written safe --entry f --check uninitialised
struct s { int a; struct s *n; char t[4]; }; int f(struct s *s, const int *p) { if (s && s->n) return s->n->a + s->t[1]; return p ? *p : 0; } int main(void) { return 0; }

//: locals_beside_arguments uninitialised --entry f --check uninitialised
int f(int *p) { int x; int *q = &x; if (p) *p = *q; return 0; } int main(void) { return 0; }
