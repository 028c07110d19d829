// Linkage, initialisers, qualifiers, the arguments of main, values that were never written.

//: tentative safe
int x; extern int x; int x; static int y; static int y; int main(void) { assert(x == 0 && y == 0); return 0; }

//: extern_shadow safe
int x = 3; int main(void) { int x = 5; { extern int x; assert(x == 3); } assert(x == 5); return 0; }

//: static_local_init safe
static int f(void) { static int n = 5; return n++; } int main(void) { f(); assert(f() == 6); return 0; }

//: extern_any error -
extern int ext; int main(void) { assert(ext == 0); return 0; }

//: extern_stable safe -
extern int ext; int main(void) { int a = ext, b = ext; assert(a == b); ext = 3; assert(ext == 3); return 0; }

//: extern_const safe -
extern const int ext; int main(void) { int a = ext; assert(a == ext); return 0; }

//: extern_array_n memory -
extern int arr[4]; int main(void) { int i = nint(); arr[i] = 1; return 0; }

//: weak_def safe
__attribute__((weak)) int f(void) { return 1; } int main(void) { assert(f() == 1); return 0; }

//: weak_undef error
extern void f(void) __attribute__((weak)); int main(void) { if (f) f(); assert(f == 0); return 0; }

//: weak_undef_var refused
extern int v __attribute__((weak)); int main(void) { assert(&v != 0); return 0; }

//: weak_call_null memory -
extern void f(void) __attribute__((weak)); int main(void) { f(); return 0; }

//: alias_attr safe
int real = 4; extern int other __attribute__((alias("real"))); int main(void) { other = 5; assert(real == 5); return 0; }

//: alias_fn safe
int real(void) { return 4; } int other(void) __attribute__((alias("real"))); int main(void) { assert(other() == 4); return 0; }

//: constructor error
static int x; __attribute__((constructor)) static void init(void) { x = 1; } int main(void) { assert(x == 0); return 0; }

//: constructor_runs safe
static int x; __attribute__((constructor)) static void init(void) { x = 1; } int main(void) { assert(x == 1); return 0; }

//: destructor error
__attribute__((destructor)) static void fini(void) { assert(0); } int main(void) { return 0; }

//: section_pack safe
static int a __attribute__((section("s"))) = 3, b __attribute__((used)); int main(void) { assert(a == 3 && b == 0); return 0; }

//: inline_extern safe
inline int f(int x) { return x + 1; } extern inline int f(int x); int main(void) { assert(f(2) == 3); return 0; }

//: static_inline_static safe
static inline int *f(void) { static int x; return &x; } int main(void) { *f() = 4; assert(*f() == 4); return 0; }

//: const_read safe
static const int c[3] = {1, 2, 3}; int main(void) { int i = nint() & 1; assert(c[i + 1] - c[i] == 1); return 0; }

//: const_write memory 1
static const int c = 3; int main(void) { int *p = (int *)&c; if (nint()) *p = 4; return c; }

//: const_local_write memory -
int main(void) { const int c = 3; int *p = (int *)&c; if (nint()) *p = 4; return c; }

//: const_ptr_to_mutable safe
int main(void) { int x = 3; const int *p = &x; *(int *)p = 4; assert(x == 4); return 0; }

//: const_param_write safe
static void f(const int *p) { *(int *)p = 9; } int main(void) { int x = 3; f(&x); assert(x == 9); return 0; }

//: const_struct_member_ok memory 1
static const struct { int a; int b; } s = {1, 2}; int main(void) { int *p = (int *)&s.b; if (nint()) *p = 1; return 0; }

//: const_memset memory -
static const char c[4] = "abc"; int main(void) { memset((char *)c, 0, 4); return 0; }

//: const_compound memory -
int main(void) { int *p = (int *)(const int[]){1, 2}; p[0] = 3; return 0; }

//: literal_write memory -
int main(void) { char *s = "abc"; if (nint()) s[0] = 'x'; return s[0]; }

//: literal_index memory 5
int main(void) { unsigned i = nuint(); assume(i < 6); return "abcd"[i]; }

//: literal_same2 assume
int main(void) { const char *a = "abc", *b = "abc"; assert(a != b); return 0; }

//: literal_tail assume
int main(void) { const char *a = "xabc", *b = "abc"; assert(a + 1 != b); return 0; }

//: literal_array_init safe
int main(void) { char a[3] = "abc"; char b[] = "abc"; char c[6] = "ab"; assert(sizeof b == 4 && a[2] == 'c' && c[2] == 0 && c[5] == 0); char d[] = {"hi"}; assert(sizeof d == 3); return 0; }

//: literal_no_nul memory
int main(void) { char a[3] = "abc"; return strlen(a); }

//: literal_concat safe
int main(void) { const char *s = "a\0b" "c"; assert(sizeof("a\0b" "c") == 5 && s[2] == 'b' && s[3] == 'c' && strlen(s) == 1); assert("\x41" "B"[0] == 'A' || 1); assert(sizeof "\1234" == 3); return 0; }

//: func_name safe
static int f(void) { return sizeof __func__; } int main(void) { assert(f() == 2 && !strcmp(__func__, "main")); return 0; }

//: designated safe
struct p { int x, y; }; int main(void) { struct p a[3] = {[1].y = 5, [0] = {1, 2}, {7}}; assert(a[0].y == 2 && a[1].x == 7 && a[1].y == 0); int b[] = {[2] = 1, 2}; assert(sizeof b == 16 && b[3] == 2); return 0; }

//: designated_override safe
struct p { int x, y, z; }; int main(void) { struct p q = {.y = 1, 2, .x = 3, .y = 9}; assert(q.x == 3 && q.y == 9 && q.z == 2); return 0; }

//: brace_elision safe
int main(void) { int m[2][3] = {1, 2, 3, 4}; assert(m[1][0] == 4 && m[1][2] == 0); struct { int a[2]; int b; } s[2] = {1, 2, 3, {4, 5}, 6}; assert(s[0].b == 3 && s[1].a[1] == 5 || 1); return 0; }

//: init_self safe
int main(void) { int x = sizeof x; struct s { struct s *p; } s = {&s}; assert(x == 4 && s.p == &s); return 0; }

//: init_partial_zero safe
int main(void) { int a[5] = {1}; struct { int x; char c[3]; double d; int *p; } s = {2}; assert(a[4] == 0 && s.c[2] == 0 && s.d == 0 && !s.p); return 0; }

//: init_string_in_struct safe
struct s { char n[4]; int k; }; int main(void) { struct s s[2] = {"ab", 1, {"cde", 2}}; assert(s[0].n[1] == 'b' && s[0].k == 1 && s[1].n[3] == 0 && s[1].k == 2); return 0; }

//: static_addr_expr safe
static int a[4]; static int *p = &a[3] - 1, *q = a + 1; static long d = sizeof a / sizeof *a; int main(void) { assert(p - q == 1 && d == 4); return 0; }

//: static_float_expr safe
static double d = 1.0 / 4 + 2; static int i = (int)3.7; static unsigned char c = -1; static float f = 0.1; int main(void) { assert(d == 2.25 && i == 3 && c == 255 && f == 0.1f); return 0; }

//: range_init safe
int main(void) { int a[6] = {[1 ... 3] = 7, [5] = 1}; assert(a[0] == 0 && a[3] == 7 && a[4] == 0); return 0; }

//: empty_struct safe
struct e {}; struct s { struct e e; int i; }; int main(void) { assert(sizeof(struct e) == 0 && sizeof(struct s) == 4); struct s s = {{}, 3}; assert(s.i == 3); return 0; }

//: typedef_scope safe
typedef int T; int main(void) { T x = 1; { char T = 2; assert(sizeof T == 1); } struct T { long l; }; assert(sizeof(T) == 4 && sizeof(struct T) == 8 && x == 1); return 0; }

//: enum_scope safe
enum { A = 1 }; int main(void) { assert(A == 1); { enum { A = 5, B }; assert(A == 5 && B == 6); } assert(A == 1); return 0; }

//: struct_fwd safe
struct n; static struct n *head; struct n { int v; struct n *next; }; int main(void) { struct n a = {1, 0}, b = {2, &a}; head = &b; assert(head->next->v == 1); return 0; }

//: array_param safe
static int f(int a[static 2], int b[const 3]) { return sizeof a + b[2]; } int main(void) { int x[2] = {0}, y[3] = {0, 0, 4}; assert(f(x, y) == sizeof(int *) + 4); return 0; }

//: fn_param_decay safe
static int ap(int f(int), int x) { return f(x); } static int dbl(int x) { return 2 * x; } int main(void) { assert(ap(dbl, 4) == 8); return 0; }

//: vla_sizeof safe
int main(void) { int n = 3; int a[n][2]; n = 5; assert(sizeof a == 24 && sizeof a[0] == 8); typedef int T[n]; n = 9; T b; assert(sizeof b == 20); return 0; }

//: vla_param safe
static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; } int main(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; assert(sum(2, 3, a) == 21); return 0; }

//: vla_ptr safe
int main(void) { int n = 3; int (*p)[n] = malloc(2 * sizeof *p); if (!p) return 0; p[1][2] = 7; assert(((int *)p)[5] == 7); assert(sizeof *p == 12); free(p); return 0; }

//: volatile_local_ok safe
int main(void) { volatile int x = 3; assert(x == 3); return 0; }

//: volatile_ptr assume
extern volatile int *reg; int main(void) { volatile int v = 0; volatile int *p = &v; int a = *p, b = *p; assert(a == b); return 0; }

//: volatile_member assume
struct { volatile int a; int b; } s; int main(void) { s.b = 1; assert(s.b == 1); int x = s.a, y = s.a; assert(x == y); return 0; }

//: volatile_range safe
volatile unsigned char c; int main(void) { int x = c; assert(x >= 0 && x <= 255); return 0; }

//: restrict_ok safe
static void f(int *restrict p, int *restrict q) { *p = 1; *q = 2; } int main(void) { int a, b; f(&a, &b); assert(a == 1 && b == 2); return 0; }

//: register_var safe
int main(void) { register int x asm("ebx") = 3; register int y = 4; assert(x + y == 7); return 0; }

//: asm_nop safe
int main(void) { int x = 3; __asm__ volatile("" : "+r"(x)); assert(x == 3); return 0; }

//: asm_out error
int main(void) { int x = 3; __asm__ volatile("mov $1, %0" : "=r"(x)); assert(x == 3); return 0; }

//: asm_mem error
int main(void) { int x = 3; __asm__ volatile("movl $1, %0" : "=m"(x)); assert(x == 3); return 0; }

//: thread_local safe
static _Thread_local int t = 3; __thread int u; int main(void) { t++; assert(t == 4 && u == 0); return 0; }

//: atomic safe
#include <stdatomic.h>
static atomic_int a; int main(void) { atomic_store(&a, 3); assert(atomic_fetch_add(&a, 2) == 3 && atomic_load(&a) == 5); a++; assert(a == 6); int e = 6; assert(atomic_compare_exchange_strong(&a, &e, 9) && a == 9); return 0; }

//: sync_builtins safe
int main(void) { int x = 1; assert(__sync_fetch_and_add(&x, 2) == 1 && __sync_add_and_fetch(&x, 1) == 4 && __sync_bool_compare_and_swap(&x, 4, 7) && x == 7); return 0; }

//: argv_over memory
int main(int argc, char **argv) { return argv[argc + 1] != 0; }

//: argv_two memory
int main(int argc, char **argv) { return argv[1][0]; }

//: argv_content error
int main(int argc, char **argv) { if (argc == 2) assert(argv[1][0] != 'q'); return 0; }

//: argc_max error
int main(int argc, char **argv) { assert(argc < 1000); return 0; }

//: main_void_rec safe
static int d; int main(void) { if (d++ < 2) return main(); assert(d == 3); return 0; }

//: generic_quals safe
int main(void) { const int c = 1; int a[2]; assert(_Generic(c, int : 1, default : 2) == 1 && _Generic(a, int * : 1, default : 2) == 1 && _Generic("x", char * : 1, default : 2) == 1 && _Generic(main, int (*)(void) : 1, default : 2) == 1 && _Generic(1L, long : 1, long long : 2) == 1 && _Generic('a', int : 1, char : 2) == 1); return 0; }

//: static_assert_ok safe
_Static_assert(sizeof(int) == 4, "int"); int main(void) { _Static_assert(1, "x"); return 0; }

//: uninit_read uninitialised --check uninitialised
int main(void) { int x; return x; }

//: uninit_branch uninitialised 0 --check uninitialised
int main(void) { int x; if (nint()) x = 1; return x; }

//: uninit_ok safe --check uninitialised
int main(void) { int x; if (nint()) x = 1; else x = 2; return x; }

//: uninit_array uninitialised --check uninitialised
int main(void) { int a[3]; a[0] = a[1] = 1; return a[nuint() % 3]; }

//: uninit_heap uninitialised --check uninitialised
int main(void) { int *p = malloc(8); if (!p) return 0; p[0] = 1; int r = p[1]; free(p); return r; }

//: uninit_calloc safe --check uninitialised
int main(void) { int *p = calloc(2, 4); if (!p) return 0; int r = p[1]; free(p); return r; }

//: uninit_struct_copy safe --check uninitialised
struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; t = s; return t.a; }

//: uninit_memcpy safe --check uninitialised
struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; memcpy(&t, &s, sizeof t); return t.a; }

//: uninit_ptr_deref memory
int main(void) { int *p; return *p; }

//: uninit_fn memory
int main(void) { void (*f)(void); f(); return 0; }

//: uninit_stable safe
int main(void) { int x; int y = x; assert(x == y); return 0; }

//: uninit_any error
int main(void) { int x; assert(x != 12345); return 0; }

//: uninit_by_callee safe --check uninitialised
static void set(int *p) { *p = 1; } int main(void) { int x; set(&x); return x; }

//: literal_changed_after_use safe
int main(void) { int in = nint(); if (in > 1000 || in < -1000) return 0; int a = (int){ in }++; int b = ((int){ in })--; int c = (struct { int x; }){ in }.x++; int d = (int[]){ in }[0]++; assert(a == in && b == in && c == in && d == in); return 0; }

//: literal_changed_before_use safe
int main(void) { int in = nint(); if (in > 1000 || in < -1000) return 0; assert(++(int){ in } == in + 1 && ((int){ in } += 5) == in + 5); return 0; }

//: lengths_of_parameters safe
static int f(int a, int b[a++], int c, int d[c++], int e, int g[2][e++]) { assert(sizeof *g == 4 * 3); return 100 * a + 10 * c + e; } int main(void) { int e[9]; assert(f(1, e, 2, e, 3, (void *)e) == 234); return 0; }

//: lengths_of_parameters_in_any_order memory -
static int f(int a, int b[a++], int c[2][a]) { return sizeof *c > 100; } int main(void) { int e[9]; return f(1, e, (void *)e); }

//: alignment_of_objects safe
static _Alignas(64) char g; extern int e __attribute__((aligned(32))); int e; typedef int wide __attribute__((aligned(16))); int main(void) { _Alignas(double) char c; wide w; assert(__alignof__(g) == 64 && __alignof__(e) == 32 && __alignof__(c) == 8 && __alignof__(w) == 16); { char g; assert(__alignof__(g) == 1); } return 0; }

//: selections_are_scopes safe
enum { in = 0 }; int main(void) { if (sizeof(enum { in = 1 })) assert(in == 1); assert(in == 0); switch (sizeof(enum { in = 2 })) { default: assert(in == 2); } assert(in == 0); while (sizeof(enum { in = 3 })) { assert(in == 3); break; } do assert(in == 0); while (sizeof(enum { in = 4 }) == 0); assert(in == 0); return 0; }

//: names_of_other_letters safe
int main(void) { int \u00e9t\u00e9 = nint(), ni\U000000f1o = 1; int x = \u00e9t\u00e9; assert(été == x && niño == 1); return 0; }

//: trust_ini1 assume
static int n; static int f(void) { return ++n; } int main(void) { int a[2] = { [0] = f(), [0] = f() }; assert(n >= 1 && a[1] == 0); return 0; }

//: trust_ini2 assume
static int n; static int f(void) { return ++n; } int main(void) { union { int a; long b; } u = { .a = f(), .b = f() }; assert(n >= 1 && u.b); return 0; }

//: trust_ini3 safe
static int n; static int f(void) { return ++n & 7; } int main(void) { int a[2] = { [1] = 3, [0] = f(), [1] = 4 }; assert(a[1] == 4); return 0; }

//: trust_si4 safe
static int x = -2147483647 - 1, y = ~0, z = 1 << 31, w = (int)4294967295u; static unsigned u = 3u - 4; static long l = 2147483647L + 1; int main(void) { assert(x == INT_MIN && y == -1 && z == INT_MIN && w == -1 && u == UINT_MAX && l == 2147483648); return 0; }

//: trust_self_init uninitialised --check uninitialised
int main(void) { int x = x + 1; return x; }

//: trust_self_init2 safe --check uninitialised
struct l { struct l *n, *p; }; int main(void) { struct l h = { &h, &h }; assert(h.n == h.p); int y = sizeof y; return y; }

//: trust_self_init3 uninitialised --check uninitialised
int main(void) { int a[2] = { a[1], 3 }; return a[0]; }

//: trust_si1 refused
static int x = INT_MAX + 1; int main(void) { assert(x == INT_MIN); return 0; }

//: trust_si2 assume
static uintptr_t g = 7; static uintptr_t *p = &g; static uintptr_t h = (uintptr_t)&g; int main(void) { assert(h != 1234567 && *p == 7); return 0; }

//: old_style_rows safe
int f(a, n) int n; int a[][n]; { return a[1][1]; } int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; assert(f(a, 3) == 5); return 0; }

//: old_style_rows_wrong error 0
int f(a, n) int n; int a[][n]; { return a[1][1]; } int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; assert(f(a, 3) == 4); return 0; }

//: enum_of_type safe
enum small : unsigned char { RED, GREEN = 255 }; enum later : short; enum later : short { LESS = -3 }; struct bits { enum small e : 4; unsigned : 3; }; int main(void) { enum later x = nint(); assert(sizeof(enum small) == 1 && sizeof(enum later) == 2 && x <= 32767 && LESS < 0 && GREEN == 255); return 0; }

//: object_has_an_alias safe
int a[4]; extern int b[4] __attribute__((alias("a"))); static int s = 3; extern int t __attribute__((alias("s")));
extern int late; static int get(void) { return late; } int real = 7; extern int late __attribute__((alias("real")));
int *p = &t;
int main(void) { int i = 1; b[i] = 5; assert(a[1] == 5 && &a[1] == &b[1] && &s == &t); t++; assert(s == 4 && *p == 4); real = 9; assert(get() == 9); return 0; }

//: alias_changes_the_object error
int a = 1; extern int b __attribute__((alias("a"))); int main(void) { a = 2; b = nint(); assert(a == 2); return 0; }

//: attributes_in_brackets safe
[[nodiscard]] static int three([[maybe_unused]] int x) { return 3; }
[[gnu::noinline, noreturn]] static void stop(void) { for (;;) ; }
struct [[gnu::packed]] p { char c; int i; }; struct q { char c; [[gnu::aligned(16)]] int i; };
enum e { A [[deprecated]] = 3, B }; [[other::noreturn]] static int two(void) { return 2; }
static int count(int i) { int r = 0; switch (i) { case 1: r++; [[fallthrough]]; case 2: r++; } return r; }
int main(void) { [[maybe_unused]] int w = 3; int v [[maybe_unused]] = 4; int x[2] = { 1, 2 }, i[1] = { 1 }; if (w == 5) [[unlikely]] stop(); assert(x[i[0]] == 2 && sizeof(struct p) == 5 && sizeof(struct q) == 32 && B == 4 && count(1) == 2 && v == 4 && two() == 2 && three(w) == 3); return 0; }

//: no_packing_any_more safe
#pragma pack(2)
struct two { char c; int i; };
#pragma pack(0)
struct four { char c; int i; };
int main(void) { assert(sizeof(struct two) == 6 && sizeof(struct four) == 8); return 0; }

//: initialisers_after_one_too_many safe
int main(void) { union { int a, b; } x = { 1, 2, .b = 3, .a = 4 }; int y[2] = { 1, 2, 3, [0] = 7 }; assert(x.a == 4 && y[0] == 7 && y[1] == 2); return 0; }

//: more_words_of_klee safe
extern int klee_get_value_i32(int); extern size_t klee_get_obj_size(void *); extern void klee_check_memory_access(const void *, size_t); extern void klee_stack_trace(void);
int main(void) { char a[8]; int x = nint(); klee_stack_trace(); klee_check_memory_access(a, 8); assert(klee_get_value_i32(x) == x && klee_get_obj_size(a) == 8); return 0; }

//: access_that_klee_checks memory
extern void klee_check_memory_access(const void *, size_t); int main(void) { char a[8]; klee_check_memory_access(a + 1, 8); return 0; }
//: complex_elements safe
int main(void) { float _Complex f[2] = {1, 2.0fi}; assert(((float *)f)[0] == 1 && ((float *)f)[1] == 0 && ((float *)f)[3] == 2); struct { double _Complex z; int n; } s = {3, 4}; assert(__real__ s.z == 3 && s.n == 4); double _Complex b = {5}; assert(b == 5); return 0; }

//: text_replaced_in_part safe
int main(void) { struct { char s[6]; } t = {.s = "hello", .s[0] = 'j'}; assert(t.s[0] == 'j' && t.s[1] == 'e' && t.s[5] == 0); static char u[8] = {[0] = 'x', [2] = 'y'}; static struct { char s[4]; int k; } v[2] = {{"abc", 1}, [0].s[1] = 'z'}; assert(u[1] == 0 && v[0].s[0] == 'a' && v[0].s[1] == 'z' && v[0].s[2] == 'c' && v[0].k == 1); int w[] = L"abc"; assert(w[2] == 'c'); return 0; }

//: text_replaced_whole safe
int main(void) { struct { char s[6]; } t = {.s[4] = 'q', .s = "ab"}; assert(t.s[0] == 'a' && t.s[2] == 0 && t.s[4] == 0); return 0; }
