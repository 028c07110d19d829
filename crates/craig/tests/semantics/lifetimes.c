// Objects that begin and end.

//: block_end memory 1
int main(void) { int *p; { int x = nint(); p = &x; } return *p; }

//: loop_body_dead memory -
int main(void) { int *p = 0, s = 0; for (int i = 0; i < 2; i++) { int x = i; if (i == 1) s = *p; p = &x; } return s; }

//: loop_body_same_iter safe
int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = i; int *p = &x; s += *p; } assert(s == 3); return 0; }

//: for_var_lives safe
int main(void) { int s = 0; int *p; for (int i = 0; i < 3; i++) { p = &i; s += *p; } assert(s == 3); return 0; }

//: for_var_dead memory 1
int main(void) { int *p; for (int i = 0; i < 3; i++) p = &i; return *p; }

//: return_local memory 1
static int *f(void) { int x = 3; int *p = &x; return p; } int main(void) { return *f(); }

//: return_param memory -
static int *f(int x) { int *p = &x; return p; } int main(void) { return *f(3); }

//: caller_object safe
static void f(int **pp, int *q) { *pp = q; } int main(void) { int x = 4; int *p; f(&p, &x); assert(*p == 4); return 0; }

//: goto_out_and_in memory -
int main(void) { int *p = 0, n = 0; again: { int x = n; if (p) return *p; p = &x; } n++; goto again; }

//: goto_within safe
int main(void) { int n = 0; int *p = 0; { int x = 5; again: if (p) assert(*p == 6); p = &x; x++; if (n++ < 1) goto again; assert(x == 7); } return 0; }

//: goto_back_same_object safe
int main(void) { int n = 0, *p = 0; { again:; int x; if (n) assert(p == &x); p = &x; x = n; if (n++ < 2) goto again; } return 0; }

//: goto_back_uninit uninitialised --check uninitialised
int main(void) { int n = 0; again:; int x; if (n) return x; n++; goto again; }

//: compound_literal_block memory 1
int main(void) { int *p; { p = (int[]){1, 2}; } return p[1]; }

//: compound_literal_fn safe
int main(void) { int *p = (int[]){1, 2}; { p[1]++; } assert(p[1] == 3); return 0; }

//: compound_literal_static safe
static int *p = (int[]){1, 2, 3}; int main(void) { p[2] = 5; assert(p[2] == 5 && p[0] == 1); return 0; }

//: compound_loop safe
int main(void) { int *q = 0; for (int i = 0; i < 2; i++) { int *p = &(int){i}; *p += 10; assert(*p == 10 + i); q = p; } return 0; }

//: literal_lives safe
static const char *name(int k) { return k ? "one" : "zero"; } int main(void) { const char *s = name(nint()); assert(s[3] == 0 || s[3] == 'o'); return 0; }

//: static_lives safe
static int *f(void) { static int x = 3; x++; return &x; } int main(void) { int *p = f(), *q = f(); assert(p == q && *p == 5); return 0; }

//: switch_skip_init safe
int main(void) { int r = 0; switch (nint()) { int x; case 1: x = 3; r = x; break; default: x = 4; r = x; } assert(r == 3 || r == 4); return 0; }

//: switch_skipped_init uninitialised 1 --check uninitialised
int main(void) { int r = 0; switch (nint()) { int x = 9; case 1: r = x; break; } return r; }

//: recursion_objects safe
static int f(int n, int *up) { int x = n; if (up) assert(up != &x && *up == n + 1); return n ? f(n - 1, &x) + x : 0; } int main(void) { assert(f(3, 0) == 6); return 0; }

//: recursion_dead memory 1
static int *last; static void f(int n) { int x = n; last = &x; if (n) f(n - 1); } int main(void) { f(2); return *last; }

//: vla_block memory -
int main(void) { int n = 3; int *p; { int a[n]; a[1] = 2; p = a; } return p[1]; }

//: vla_goto_out memory -
int main(void) { int n = 2, k = 0; int *p = 0; again:; if (p) return p[0]; { int a[n]; a[0] = 1; p = a; if (!k++) goto again; } return 0; }

//: alloca_lives safe
int main(void) { char *p; { p = __builtin_alloca(4); p[3] = 7; } assert(p[3] == 7); return 0; }

//: alloca_dead memory -
static char *f(void) { char *p = __builtin_alloca(4); p[0] = 1; return p; } int main(void) { return *f(); }

//: struct_temp_array safe
struct s { int a[3]; }; static struct s f(void) { struct s s = {{1, 2, 3}}; return s; } int main(void) { assert(f().a[1] == 2); int x = f().a[2] + f().a[0]; assert(x == 4); return 0; }

//: stmt_expr_block memory 1
int main(void) { int *p = ({ int x = 5; &x; }); return *p; }

//: stmt_expr_value safe
int main(void) { int y = ({ int x = 5; int *p = &x; *p + 1; }); assert(y == 6); return 0; }

//: arg_address safe
static int f(int x, int y) { int *p = &x; *p = 9; return x + y; } int main(void) { int a = 1; assert(f(a, a) == 10 && a == 1); return 0; }

//: dead_compare assume
int main(void) { int *p, *q; { int x; p = &x; } { int y; q = &y; } assert(p != q); return 0; }

//: free_then_compare assume
int main(void) { int *p = malloc(4); if (!p) return 0; free(p); int *q = malloc(4); if (!q) return 0; assert(p != q); return 0; }

//: longjmp_like refused
#include <setjmp.h>
static jmp_buf b; int main(void) { volatile int x = 0; if (setjmp(b)) { assert(x == 1); return 0; } x = 1; longjmp(b, 1); }

//: cleanup_attr safe
static int n; static void done(int *p) { n += *p; } int main(void) { { int x __attribute__((cleanup(done))) = 3; (void)x; } assert(n == 3); return 0; }

//: cleanup_return safe
static int n; static void done(int *p) { n += *p; } static int f(void) { int x __attribute__((cleanup(done))) = 3; return n; } int main(void) { int r = f(); assert(r == 0 && n == 3); return 0; }

//: cleanup_goto safe
static int n; static void done(int *p) { n += *p; } int main(void) { int k = 0; again: { int x __attribute__((cleanup(done))) = 3; if (k++ < 2) goto again; } assert(n == 9); return 0; }

//: use_after_scope_write memory -
int main(void) { int *p, y = 0; { int x; p = &x; } { int z = 3; *p = 4; y = z; } assert(y == 3); return 0; }

//: inner_lives_in_callee safe
static void set(int *p) { *p = 3; } int main(void) { { int x; set(&x); assert(x == 3); } return 0; }

//: dup_param_addr memory -
static int *keep; static void f(int x) { keep = &x; } int main(void) { f(1); *keep = 2; return 0; }

//: tail_struct_ret memory 1
struct s { int v; }; static struct s *f(void) { struct s s = {1}; struct s *p = &s; return p; } int main(void) { struct s t = *f(); return t.v; }

//: if_scope memory 1
int main(void) { int *p = 0; if (nint()) { int x = 1; p = &x; } if (p) return *p; return 0; }

//: while_cond_scope safe
int main(void) { int n = 0; while (({ int x = n; int *p = &x; *p < 3; })) n++; assert(n == 3); return 0; }

//: cl_if_scope memory 1
int main(void) { int *p = 0; if (nint() == 1) p = &(int){5}; return p ? *p : 0; }

//: cl_cond_scope memory 1
int main(void) { int *p = 0; if ((p = &(int){5}) && nint() == 1) { } return *p; }

//: cl_while_body memory -
int main(void) { int *p = 0, n = 0; while (n < 2) n += *(p = &(int){1}); return *p; }

//: cl_for_scope safe
int main(void) { int s = 0; for (int *p = (int[]){1, 2, 3, 0}; *p; p++) s += *p; assert(s == 6); return 0; }

//: cl_loop_reinit safe
int main(void) { for (int i = 0; i < 3; i++) { int *p = (int[]){1, 2}; assert(p[0] == 1 && p[1] == 2); p[0] = 9; p[1]++; } return 0; }

//: cl_goto_reinit safe
int main(void) { int n = 0; int *q = 0; again:; int *p = (int[2]){1}; if (q) assert(p == q); assert(p[0] == 1 && p[1] == 0); p[0] = 7; p[1] = 8; q = p; if (n++ < 2) goto again; return 0; }

//: switch_case_object memory 3
int main(void) { int *p = 0; switch (nint()) { case 3:; int x = 5; p = &x; } return p ? *p : 0; }

//: switch_head_object memory 3
int main(void) { int *p = 0; switch (nint()) { int x; case 3: x = 5; p = &x; } return p ? *p : 0; }

//: switch_literal memory 3
int main(void) { int *p = 0; switch (nint()) case 3: p = &(int){4}; return p ? *p : 0; }

//: label_literal memory -
int main(void) { int *p = 0; if (nint()) l: p = &(int){4}; if (!p) goto l; return p ? *p : 0; }

//: goto_in_object memory 3
int main(void) { int *p = 0; if (nint() == 3) goto l; { if (0) { int x; l: x = 5; p = &x; } } return p ? *p : 0; }

//: goto_in_object_lives safe
int main(void) { int r = 0, k = nint(); if (k == 3) goto l; { int x[2] = {1, 2}; r = x[1]; if (0) { l: x[0] = 5; int *p = x; r = p[0]; } r += x[0]; } assert(k == 3 ? r == 10 : r == 3); return 0; }

//: goto_in_object_loop safe
int main(void) { int s = 0; for (int i = 0; i < 3; i++) { if (i) goto in; { int x = 7; int *p; s += x; in: p = &x; *p = i; s += x; } } assert(s == 7 + 0 + 1 + 2); return 0; }

//: switch_object_loop safe
int main(void) { int s = 0; for (int i = 0; i < 3; i++) switch (i) { int x; int *p; case 0: x = 4; p = &x; s += *p; break; default: p = &x; *p = i; s += x; } assert(s == 7); return 0; }

//: switch_stale_uninit uninitialised - --check uninitialised
int main(void) { int s = 0; for (int i = 0; i < 2; i++) switch (i) { int x[1]; case 0: x[0] = 4; int *p = x; s += *p; break; case 1: s += x[0]; } return s; }

//: switch_break_dead memory -
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p) return *p; switch (i) { case 0:; int x = 1; p = &x; break; } } return 0; }

//: switch_continue_dead memory -
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p) return *p; switch (i) { case 0:; int x = 1; p = &x; continue; } } return 0; }

//: switch_return_ok safe
static int f(int k) { switch (k) { int x; case 1: { int *p = &x; *p = 3; return x; } case 2: x = 9; int *q = &x; return *q; } return 0; } int main(void) { assert(f(1) == 3 && f(2) == 9 && f(3) == 0); return 0; }

//: switch_no_case memory -
int main(void) { int *p = 0; again: switch (p != 0) { int x; case 0: p = &x; goto again; } return *p; }

//: switch_fallthrough_object safe
int main(void) { int k = nint(), r = 0; switch (k) { case 1:; int x = 5; int *p = &x; r = *p; case 2: x = 6; p = &x; r += *p; break; default: r = 6; } assert(r == 6 || r == 11); return 0; }

//: duff_object safe
int main(void) { int n = 5, s = 0; switch (n % 4) { case 0: do { int t[1]; t[0] = 1; s += t[0]; case 3:; int u = 1; int *p = &u; s += *p; case 2: s++; case 1: s++; } while ((n -= 4) > 0); } assert(s == 1 + 4); return 0; }

//: duff_object2 safe
int main(void) { int n = 3, s = 0; switch (n) { case 0: do { int a[2]; a[0] = 2; s += a[0]; case 3: a[1] = 1; int *p = a; s += p[1]; } while (n-- > 2); } assert(s == 1 + 3); return 0; }

//: recursion_switch safe
static int f(int n, int *up) { switch (n) { int x; case 0: return *up; default: x = n; int *p = &x; int r = f(n - 1, p); assert(*p == n); return r + *p; } } int main(void) { int z = 9; assert(f(3, &z) == 1 + 1 + 2 + 3); return 0; }

//: computed_goto_block memory -
int main(void) { static void *t[] = {&&a, &&b}; int *p = 0; goto *t[nint() == 3]; { int x; b: x = 1; p = &x; } a: return p ? *p : 0; }

//: statement_expression_ends memory -
int main(void) { int y = *({ int x = nint(); &x; }); return y; }

//: statement_expression_ends_each_time memory -
int main(void) { int s = 0; for (int i = 0; i < 2; i++) { s += *({ int x = i; &x; }); } return s; }

//: statement_expression_record memory -
struct s { int *p; }; int main(void) { return *({ int x = 3; (struct s){ &x }; }).p; }

//: statement_expression_array memory -
int main(void) { int i = nint() & 1; return ({ int a[2] = { 1, 2 }; a + 0; })[i]; }

//: statement_expression_chosen memory -
int main(void) { int z = 4; return *(({ int x = 3; &x; }) ?: &z); }

//: statement_expression_argument memory -
static int f(int *p) { return *p; } int main(void) { return f(({ int x = 3; &x; })); }

//: statement_expression_passes_on safe
int main(void) { int x = 5; int *q = ({ int *p = &x; int y = 1; *p += y; p; }); assert(*q == 6 && ({ int y = 2; int *r = &y; *r + *q; }) == 8); return 0; }

//: returned_array_element safe
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int i = nint() & 1; int k = f(5).a[i] + f(2).a[1]; assert(k >= 8 && k <= 9); return 0; }

//: returned_array_dead memory -
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int *p = f(5).a; return *p; }

//: returned_array_dead_large memory -
struct s { int a[30]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int *p; p = f(5).a; return p[1]; }

//: returned_array_argument safe
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } static int sum(const int *p) { return p[0] + p[1] + p[2]; } int main(void) { assert(sum(f(1).a) == 6); return 0; }

//: returned_array_condition safe
struct s { char a[4]; }; static struct s f(int n) { struct s s = { { n, 1, 2, 0 } }; return s; } int main(void) { int r = 0; if (strlen(f(1).a) == 3) r = 1; while (f(r).a[nint() & 3] == 7) r++; do r++; while (strlen(f(0).a)); for (int i = 0; f(i).a[0] < 2; i++) r++; switch (f(3).a[0]) { case 3: r += 10; } assert(r == 14); return 0; }

//: returned_array_after_condition memory -
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int *p; if ((p = f(1).a) && nint()) return 0; return *p; }

//: returned_array_in_do memory -
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int *p = 0, r = 0; do { if (p) r += *p; p = 0; } while ((p = f(1).a) && nint()); return r; }

//: returned_array_conditional safe
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int r = 0; for (int i = 0; i < 3; i++) { int c = nint() & 1; r += c ? f(i).a[c] : 1; } assert(r >= 3 && r <= 6); return 0; }

//: returned_array_of_choice safe
struct s { int a[3]; }; int main(void) { struct s x = { { 1, 2, 3 } }, y = { { 4, 5, 6 } }; int c = nint(); int k = (c ? x : y).a[nint() & 1]; assert(k == 1 || k == 2 || k == 4 || k == 5); return 0; }

//: array_of_assignment_dead memory -
struct s { int a[3]; }; int main(void) { struct s x = { { 1, 2, 3 } }, y; int *p = (y = x).a; return *p; }

//: array_of_statement_expression_dead memory -
struct s { int a[3]; }; int main(void) { struct s x = { { 1, 2, 3 } }; int *p = ({ x; }).a; return *p; }

//: returned_array_returned memory -
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } static int *g(void) { return f(1).a; } int main(void) { return *g(); }

//: returned_array_initialiser safe
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int x[2] = { f(1).a[nint() & 1], *f(4).a }; assert(x[0] >= 1 && x[0] <= 2 && x[1] == 4); return 0; }

//: returned_array_in_loop_step safe
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int n = 0; for (int i = 0; i < 6; i += f(i).a[nint() & 1] - i + 1) n++; assert(n >= 3 && n <= 6); return 0; }

//: returned_array_twice_alive safe
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } static int two(const int *p, const int *q) { return p != q && p[0] == 1 && q[0] == 2; } int main(void) { assert(two(f(1).a, f(2).a)); return 0; }

//: returned_array_comma memory -
struct s { int a[3]; }; static struct s f(int n) { struct s s = { { n, n + 1, n + 2 } }; return s; } int main(void) { int *p; int k = (p = f(3).a, p[1]); assert(k == 4); return p[0]; }

//: returned_2d safe
struct s { int a[2][2]; }; static struct s f(int n) { struct s s = { { { n, 1 }, { 2, 3 } } }; return s; } int main(void) { int i = nint() & 1, j = nint() & 1; int k = f(0).a[i][j]; assert(k == 2 * i + j); return 0; }

//: returned_recursive safe
struct s { int a[2]; }; static struct s f(int n) { struct s s = { { n, 0 } }; if (n > 0) s.a[1] = f(n - 1).a[n & 1] + 1; return s; } int main(void) { int k = f(3).a[1]; assert(k >= 1); return 0; }

//: kept_list memory -
static va_list kept; static void keep(int n, ...) { va_start(kept, n); } int main(void) { keep(1, 7); return va_arg(kept, int); }

//: kept_list_in_record memory -
struct c { va_list l; }; static void keep(struct c *c, int n, ...) { va_start(c->l, n); } int main(void) { struct c c; keep(&c, 1, 7); return va_arg(c.l, int); }

//: static_list_used_in_time safe
static va_list kept; static int next(void) { return va_arg(kept, int); } static int sum(int n, ...) { va_start(kept, n); int s = 0; for (int i = 0; i < n; i++) s += next(); va_end(kept); return s; } int main(void) { int k = sum(2, 7, 8) + sum(1, 1); assert(k == 16); return 0; }

//: list_by_pointer safe
static int next(va_list *l) { return va_arg(*l, int); } static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += next(&l); va_end(l); return s; } int main(void) { int k = sum(2, 7, 8); assert(k == 15); return 0; }

//: cleanup_in_reverse_order safe
static int log_, x_; static void add(int *p) { log_ = log_ * 10 + *p; } static int f(int k) { int a __attribute__((cleanup(add))) = 1; { __attribute__((__cleanup__(add))) int b = 2, c = 3; if (k) return a + b + c; } int d __attribute__((cleanup(add))) = 4; return d; } int main(void) { int k = nint() != 0; int r = f(k); if (k) assert(r == 6 && log_ == 321); else assert(r == 4 && log_ == 3241); return 0; }

//: cleanup_sees_the_result_computed safe
static void clear(int *p) { *p = 0; } struct s { int a, b; }; static void wipe(struct s *p) { p->a = p->b = 0; } static int f(void) { int x __attribute__((cleanup(clear))) = nint() ? 5 : 7; return x; } static struct s g(void) { struct s x __attribute__((cleanup(wipe))) = { 1, 2 }; return x; } int main(void) { int r = f(); assert(r == 5 || r == 7); struct s s = g(); assert(s.a == 1 && s.b == 2); int e = ({ int y __attribute__((cleanup(clear))) = 9; y; }); assert(e == 9); return 0; }

//: cleanup_by_jumps safe
static int n; static void count(int *p) { n++; } int main(void) { for (int i = 0; i < 4; i++) { int x __attribute__((cleanup(count))) = i; if (i == 1) continue; if (i == 2) break; } assert(n == 3); int again = 0; back:; int y __attribute__((cleanup(count))) = 0; if (again++ < 2) goto back; assert(n == 5); { int z __attribute__((cleanup(count))); goto out; } out: assert(n == 6); return 0; }

//: cleanup_may_call_its_function safe
struct s { int a, b; }; static int depth; struct s f(int); static void again(int *p) { if (depth++ == 0) { struct s s = f(7); assert(s.a == 7); } } struct s f(int k) { int x __attribute__((cleanup(again))) = k; struct s s = { k, k }; return s; } int main(void) { struct s s = f(3); assert(s.a == 3 && s.b == 3 && depth == 2); return 0; }

//: cleanup_at_the_end_of_main error
static void check(int *p) { assert(*p != 3); } int main(void) { int x __attribute__((cleanup(check))) = nint(); return 0; }

//: cleanup_frees safe --check memory,leak
static void drop(int **p) { free(*p); } int main(void) { int *p __attribute__((cleanup(drop))) = malloc(sizeof *p); if (!p) return 1; if (nint()) return 2; *p = 1; return *p; }

//: cleanup_frees_twice memory -
static void drop(int **p) { free(*p); } int main(void) { int *p __attribute__((cleanup(drop))) = malloc(sizeof *p); if (nint() == 5) free(p); return 0; }

//: cleanup_not_by_exit safe
static void check(int *p) { assert(0); } int main(void) { int x __attribute__((cleanup(check))) = 0; exit(0); }

//: trust_rr1 memory -
struct s { int a[2]; int b; }; static struct s f(void) { struct s s = { { 1, 2 }, 3 }; return s; } int main(void) { f().a[0] = 3; return 0; }

//: trust_rr2 memory -
struct s { int a[20]; }; static struct s f(void) { struct s s = { { 1, 2 } }; return s; } static void g(int *p) { p[1] = 4; } int main(void) { g(f().a); return 0; }

//: trust_rr3 safe
struct s { int a[20]; }; static struct s f(int x) { struct s s = { { x, 2 } }; return s; } int main(void) { int r = 0; for (int i = 0; i < 3; i++) r += f(i).a[0] + f(1).a[1]; assert(r == 9); return 0; }

//: trust_rr4 safe
struct s { int a[2]; }; static struct s f(int x) { struct s s = { { x, 2 } }; return s; } static int g(int *p) { return p[0] + p[1]; } int main(void) { int r = 0, i = 0; again: r += g(f(i).a); if (i++ < 2) goto again; assert(r == 9); return 0; }

//: trust_rr5 safe
struct s { int a[2]; }; static struct s f(int x) { struct s s = { { x, 2 } }; return s; } static int h(int n) { return n ? f(n).a[0] + h(n - 1) : f(7).a[1]; } int main(void) { assert(h(2) == 5); return 0; }

//: trust_rr6 memory -
struct s { int a[2]; int b; }; static struct s f(void) { struct s s = { { 1, 2 }, 3 }; return s; } int main(void) { f().a[nint() & 1]++; return 0; }

//: trust_fr3 memory -
int main(void) { char b[4]; char *p = b; p = realloc(p, 4); assert(0); return 0; }

//: trust_fr5 safe
int main(void) { char *p = malloc(4); if (!p) return 0; p[0] = 7; char *q = realloc(p, 8); if (!q) { assert(p[0] == 7); free(p); return 0; } assert(q[0] == 7); free(q); return 0; }

//: trust_fr6 safe
static int f(int n) { int a[n + 1]; a[n] = n; char *h = malloc(3); free(h); return n ? f(n - 1) + a[n] : 0; } int main(void) { assert(f(3) == 6); return 0; }

//: object_of_main_in_exit_handler memory 0
static int *p; static void last(void) { *p = 1; } int main(void) { int x; p = &x; atexit(last); return 0; }

//: object_of_main_in_destructor memory 0
static int *p; __attribute__((destructor)) static void last(void) { *p = 1; } int main(void) { int x; p = &x; return 0; }

//: object_of_main_where_it_exits safe
static int *p; static void last(void) { *p = 1; } int main(void) { int x; p = &x; atexit(last); exit(0); }

//: object_of_the_round_before memory -
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (i == 0) p = &x; else assert(*p == 0); } return 0; }

//: alloca_loop_dead memory -
static char *f(void) { char *first = 0; for (int i = 0; i < 2; i++) { char *p = __builtin_alloca(4); p[0] = i; if (!first) first = p; } return first; } int main(void) { return *f(); }

//: alloca_loop_lives safe
static int sum(int n) { char *q[4]; int s = 0; for (int i = 0; i < n; i++) { q[i] = __builtin_alloca(4); q[i][0] = i; } for (int i = 0; i < n; i++) s += q[i][0]; return s; } int main(void) { assert(sum(4) == 6 && sum(3) == 3); return 0; }

//: alloca_goto_dead memory -
static char *f(void) { int k = 0; char *p = 0; l: if (k) return p; p = __builtin_alloca(4); p[0] = 1; k = 1; goto l; } int main(void) { return *f(); }

//: skip_again error -
int main(void) { for (int i = 0; i < 2; i++) { if (i == 1) goto m; int x = 5; m:; if (i == 1) assert(x == 5); } return 0; }

//: skip_again_unwritten uninitialised --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) { if (i == 1) goto m; int x = 5; m:; r += x; } return r; }

//: skip_again_object uninitialised --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) { if (i) goto m; int a[3] = {1, 2, 3}; m:; r += a[i]; } return r; }

//: skip_into_block uninitialised --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) { if (i == 1) goto in; { int x = 5; in: r += x; } } return r; }

//: skip_into_for uninitialised --check uninitialised
int main(void) { int r = 0, k = 0; while (k < 2) { if (k) goto in; for (int i = 0; i < 1; i++) { in: r += i; } k++; } return r; }

//: skip_in_switch uninitialised --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) switch (i) { int x; case 0: x = 1; break; case 1: r = x; } return r; }

//: skip_in_nested_case uninitialised --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) switch (i) { case 0: { int x = 1; r += x; case 1: r += x; } } return r; }

//: skip_in_statement_expr uninitialised --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) r += ({ if (i) goto m; int x = 1; m:; x; }); return r; }

//: skip_within_one_block safe --check uninitialised
int main(void) { int k = 0, r = 0; l:; if (k) goto m; int x = 3; m: r += x; if (k++ < 1) goto l; return r; }

//: skip_written_first safe --check uninitialised
int main(void) { int r = 0; for (int i = 0; i < 2; i++) { if (i) goto m; int x = 5; r += x; m: x = 1; r += x; } return r; }

//: list_after_end memory -
static int f(int n, ...) { va_list a; va_start(a, n); va_end(a); return va_arg(a, int); } int main(void) { return f(0, 1); }

//: list_begins_again safe
static int f(int n, ...) { va_list a; va_start(a, n); int x = va_arg(a, int); va_end(a); va_start(a, n); int y = va_arg(a, int); va_end(a); return x + y; } int main(void) { assert(f(0, 4) == 8); return 0; }
