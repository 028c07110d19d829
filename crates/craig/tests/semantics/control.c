// Jumps, switches, calls of all kinds.

//: duff safe
int main(void) { int n = 7, c = 0; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while ((n -= 4) > 0); } assert(c == 7); return 0; }

//: goto_into_loop safe
int main(void) { int i = 5, s = 0; goto in; while (i < 8) { s += 10; in: s += i; i++; } assert(s == 5 + 10 + 6 + 10 + 7); return 0; }

//: goto_into_if safe
int main(void) { int r = 0; goto t; if (r) { t: r = 3; } else r = 4; assert(r == 3); return 0; }

//: goto_into_switch safe
int main(void) { int r = 0; goto c; switch (5) { case 1: r = 1; break; c: r = 2; default: r += 10; } assert(r == 12); return 0; }

//: switch_no_match safe
int main(void) { int r = 5; switch (r) { case 1: r = 0; } assert(r == 5); switch (r) default: r = 6; assert(r == 6); switch (3) { } return 0; }

//: switch_range safe
int main(void) { int x = nint(), r = 0; switch (x) { case 1 ... 5: r = 1; break; case -3 ... -1: r = 2; break; case 0: r = 3; } if (r == 1) assert(x >= 1 && x <= 5); if (!r) assert(x < -3 || x > 5); return 0; }

//: switch_nested safe
int main(void) { int r = 0; switch (1) { case 1: switch (2) { case 1: r = 9; break; case 2: r = 1; break; } r += 10; break; case 2: r = 50; } assert(r == 11); return 0; }

//: switch_continue safe
int main(void) { int s = 0; for (int i = 0; i < 4; i++) { switch (i) { case 1: continue; case 2: break; default: s += i; } s += 100; } assert(s == 303); return 0; }

//: break_in_stmt_expr safe
int main(void) { int i; for (i = 0; i < 5; i++) { int x = ({ if (i == 3) break; i; }); (void)x; } assert(i == 3); return 0; }

//: for_scope safe
int main(void) { int i = 9; for (int i = 0; i < 3; i++) { int i = 7; (void)i; } assert(i == 9); return 0; }

//: do_while_continue safe
int main(void) { int n = 0; do { n++; if (n < 5) continue; break; } while (n < 3); assert(n == 3); return 0; }

//: comma_for safe
int main(void) { int i, j; for (i = 0, j = 5; i < j; i++, j--) ; assert(i == 3 && j == 2); return 0; }

//: dangling_else safe
int main(void) { int a = 1, b = 0, r = 0; if (a) if (b) r = 1; else r = 2; assert(r == 2); return 0; }

//: label_dup_scope safe
static int f(void) { goto l; l: return 1; } int main(void) { goto l; l: assert(f() == 1); return 0; }

//: local_label safe
int main(void) { int r = 0; { __label__ l; goto l; r = 5; l: r++; } { __label__ l; goto l; r = 9; l: r++; } assert(r == 2); return 0; }

//: empty_loop_end safe
int main(void) { for (unsigned char c = 250; c; c++) ; unsigned n = 0; for (unsigned char c = 0; n < 300; c++) n++; assert(n == 300); return 0; }

//: infinite safe 3
int main(void) { for (;;) { if (nint() == 3) return 0; } assert(0); }

//: infinite_uchar safe
int main(void) { int n = 0; for (unsigned char c = 0; c < 256; c++) { if (++n == 1000) return 0; } assert(0); }

//: missing_return_unused safe
static int f(int x) { if (x) return 1; } int main(void) { f(nint()); return 0; }

//: main_no_return safe
static int n; int main(void) { n = 3; assert(n == 3); }

//: noreturn_returns memory -
_Noreturn static void f(int x) { if (x) exit(0); } int main(void) { f(nint()); assert(0); }

//: unreachable memory -
int main(void) { int x = nint(); if (!x) __builtin_unreachable(); assert(x); return 0; }

//: assume_after error 5
int main(void) { int x = nint(); assert(x != 5); assume(x != 5); return 0; }

//: assume_contradiction safe
int main(void) { int x = nint(); assume(x > 5); assume(x < 5); assert(0); return 0; }

//: builtin_expect safe
int main(void) { int x = 3; if (__builtin_expect(x == 3, 0)) x = 4; assert(x == 4); assert(__builtin_constant_p(3)); return 0; }

//: choose_expr safe
int main(void) { int i = 0; int r = __builtin_choose_expr(1, 5, i++); assert(r == 5 && i == 0); assert(__builtin_types_compatible_p(int, const int)); return 0; }

//: elvis safe
static int n; static int f(void) { return ++n; } int main(void) { int r = f() ?: 9; assert(r == 1 && n == 1); r = 0 ?: 7; assert(r == 7); return 0; }

//: logical_value safe
int main(void) { int a = 5, b = 9; assert((a && b) == 1 && (a || 0) == 1 && !a == 0 && !!a == 1 && (a > 3) + (b > 3) == 2); return 0; }

//: ptr_cond safe
int main(void) { int x = 0; int *p = &x; int n = 0; if (p) n++; while (!p) ; n += p ? 1 : 5; n += p && 1; assert(n == 3); return 0; }

//: float_cond safe
int main(void) { double d = 0.5; int n = 0; if (d) n++; if (!d) n += 10; n += d && 1; d = -0.0; if (d) n += 100; assert(n == 2); return 0; }

//: case_in_block safe
int main(void) { int r = 0; switch (2) { { case 1: r = 1; } { case 2: r += 2; } case 3: r += 10; } assert(r == 12); return 0; }

//: nested_fn safe
int main(void) { int k = 3; int add(int x) { return x + k; } assert(add(4) == 7); k = 10; assert(add(1) == 11); return 0; }

//: computed_goto safe
int main(void) { static void *t[] = {&&a, &&b, &&c}; int i = 0, s = 0; goto *t[i]; a: s += 1; i = 2; goto *t[i]; b: s += 10; goto e; c: s += 100; i = 1; goto *t[i]; e: assert(s == 111); return 0; }

//: label_diff safe
int main(void) { static const int off[] = {&&a - &&a, &&b - &&a}; int r = 0; goto *(&&a + off[1]); a: r = 1; b: r += 5; assert(r == 5); return 0; }

//: kr_default safe
f(x) { return x + 1; } int main(void) { assert(f(2) == 3); return 0; }

//: kr_wrong_count memory -
static int f(a, b) int a, b; { return a; } int main(void) { return f(1); }

//: fn_cast_mismatch memory -
static int f(int x) { return x; } int main(void) { int (*g)(long, long) = (int (*)(long, long))f; return g(1, 2); }

//: null_call memory
int main(void) { void (*f)(void) = 0; if (nint()) f(); return 0; }

//: fn_ptr_cmp safe
static void a(void) {} static void b(void) {} int main(void) { void (*f)(void) = a; assert(f == a && f != b && f != 0); f = &b; assert(*f == b && **f == b); return 0; }

//: fn_ptr_table_bad memory 2
static int a(void) { return 1; } static int b(void) { return 2; } static int (*t[2])(void) = {a, b}; int main(void) { unsigned i = nuint(); assume(i < 3); return t[i](); }

//: fn_ptr_data memory -
static int x; int main(void) { void (*f)(void) = (void (*)(void))&x; if (nint()) f(); return 0; }

//: recursion_mutual safe
static int b(int); static int a(int n) { return n ? b(n - 1) + 1 : 0; } static int b(int n) { return n ? a(n - 1) + 2 : 0; } int main(void) { assert(a(4) == 6); return 0; }

//: recursion_static safe
static int f(int n) { static int c; c++; if (n) f(n - 1); return c; } int main(void) { assert(f(3) == 4 && f(0) == 5); return 0; }

//: nested_function safe
int main(void) { int x = 0; void add(int n) { x += n; } add(2); add(3); assert(x == 5); return 0; }

//: nested_function_changes error 777
int main(void) { int x = nint(), y = 1; void clear(void) { if (x == 777) y = 0; } clear(); assert(y); return 0; }

//: nested_recursive safe
int main(void) { int calls = 0; int sum(int n) { calls++; return n ? n + sum(n - 1) : 0; } assert(sum(3) == 6 && calls == 4); return 0; }

//: nested_in_each_frame safe
int outer(int n) { int own = n; int get(void) { return own; } if (n) { int below = outer(n - 1); assert(get() == n); return below + get(); } return get(); } int main(void) { assert(outer(3) == 6); return 0; }

//: nested_siblings safe
int main(void) { int a[3] = {1, 2, 3}, s = 0; void add(int i) { s += a[i]; } void all(void) { for (int i = 0; i < 3; i++) add(i); } all(); assert(s == 6); return 0; }

//: nested_shadows safe
int main(void) { int x = 1; int f(int y) { int x = y; { int x = 9; (void)x; } return x; } assert(f(4) == 4 && x == 1); return 0; }

//: nested_plain_address safe
static int apply(int (*f)(int), int n) { return f(n); } int main(void) { int twice(int n) { return 2 * n; } assert(apply(twice, 4) == 8); return 0; }

//: nested_address safe
static int apply(int (*f)(int), int n) { return f(n); } int main(void) { int k = 2; int times(int n) { return k * n; } assert(apply(times, 4) == 8); k = 3; int (*p)(int) = &times; assert(p(1) == 3); return 0; }

//: nested_address_bug error 7
static int apply(int (*f)(int), int n) { return f(n); } int main(void) { int k = nint(); if (k < 0 || k > 9) return 0; int times(int n) { k++; return k * n; } assert(apply(times, 4) != 32); return 0; }

//: nested_address_in_each_call safe
static void each(int *a, int n, void (*f)(int, char)) { for (int i = 0; i < n; i++) f(a[i], 'x'); } static int sum(int *a, int n) { int s = 0, m = 0; void add(int x, char c) { s += x; if (x > m) m = x; } each(a, n, add); return s * 10 + m; } int main(void) { int a[3] = {1, 5, 2}; assert(sum(a, 3) == 85 && sum(a, 1) == 11); return 0; }

//: nested_address_of_record safe
struct p { int x, y; }; static struct p call(struct p (*f)(struct p)) { return f((struct p){1, 2}); } int main(void) { struct p k = {10, 20}; struct p add(struct p q) { q.x += k.x; q.y += k.y; return q; } assert(call(add).y == 22); return 0; }

//: nested_address_of_recursive refused
static int apply(int (*f)(int), int n) { return f(n); } static int deep(int n) { int k = n; int times(int m) { return k * m; } if (n) deep(n - 1); return apply(times, 1); } int main(void) { return deep(2); }

//: nested_address_beyond_the_frame memory
static int (*make(int k))(void) { int get(void) { return k; } return get; } int main(void) { int (*p)(void) = make(3); return p(); }

//: nested_memory memory
int main(void) { int a[2] = {0, 0}; int get(int i) { return a[i]; } return get(nint() == 5 ? 2 : 0); }

//: counting_with_calls_from_two_places safe
static unsigned i, x = 1, y; static void count(void) { if (i == 77777777u) y++; i++; } int main(void) { while (i < 3000000) { count(); x = x * 3 + 1; count(); } assert(x == 2479735617u && y == 0); return 0; }
