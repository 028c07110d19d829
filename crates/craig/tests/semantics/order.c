// Orders of evaluation that C leaves open.

//: args_order error
static int g; static int nx(void) { return ++g; } static int sub(int a, int b) { return a - b; } int main(void) { assert(sub(nx(), nx()) == -1); return 0; }

//: args_order2 error
static int g; static int nx(void) { return ++g; } static int sub(int a, int b) { return a - b; } int main(void) { assert(sub(nx(), nx()) == 1); return 0; }

//: args_any safe
static int g; static int nx(void) { return ++g; } static int sum(int a, int b) { return a + b; } int main(void) { assert(sum(nx(), nx()) == 3 && g == 2); return 0; }

//: index_order error
static int g; static int nx(void) { return g++; } int main(void) { int a[3] = {7, 7, 7}; a[nx()] = nx(); assert(a[0] == 1); return 0; }

//: index_order2 error
static int g; static int nx(void) { return g++; } int main(void) { int a[3] = {7, 7, 7}; a[nx()] = nx(); assert(a[1] == 0); return 0; }

//: plus_global error
static int g = 1; static int s(void) { g = 5; return 1; } int main(void) { assert(g + s() == 2); return 0; }

//: plus_global2 error
static int g = 1; static int s(void) { g = 5; return 1; } int main(void) { assert(g + s() == 6); return 0; }

//: compound_assign error
static int g = 1; static int s(void) { g = 5; return 1; } int main(void) { g += s(); assert(g == 2); return 0; }

//: compound_assign2 safe
static int g = 1; static int s(void) { g = 5; return 1; } int main(void) { g += s(); assert(g == 6); return 0; }

//: compound_assign_element error
static int i = 0, a[2] = { 1, 3 }; static int s(void) { i = 1; a[0] = a[1] = 7; return 1; } int main(void) { a[i] += s(); assert(a[0] == 8 && a[1] == 7); return 0; }

//: compound_assign_element_read safe
static int i = 0, a[2] = { 1, 3 }; static int s(void) { i = 1; a[0] = a[1] = 7; return 1; } int main(void) { a[i] += s(); assert(a[0] + a[1] == 15); return 0; }

//: compound_assign_bits safe
static struct { int x : 5; } b = { 1 }; static int s(void) { b.x = 5; return 1; } int main(void) { b.x |= s() << 3; assert(b.x == 13); return 0; }

//: unseq_inc error --check error,memory
int main(void) { int i = 1; int r = i++ + i; assert(r == 2); return 0; }

//: unseq_assign memory -
int main(void) { int i = 1; i = i++ + 1; assert(i == 2); return 0; }

//: unseq_two memory -
int main(void) { int i = 1, a[3] = {0}; a[i] = i++; assert(a[1] == 1); return 0; }

//: seq_comma safe
int main(void) { int i = 1; int r = (i++, i); assert(r == 2 && i == 2); return 0; }

//: seq_and safe
int main(void) { int i = 0; int r = i++ == 0 && i == 1; assert(r); return 0; }

//: seq_cond safe
int main(void) { int i = 0; int r = i++ ? 5 : i; assert(r == 1); return 0; }

//: seq_call safe
static int f(int *p) { return (*p)++; } int main(void) { int i = 0; int r = f(&i) + 0; assert(i == 1 && r == 0); i = f(&i); assert(i == 1); return 0; }

//: seq_assign safe
int main(void) { int i = 3; i = i + 1; i = i * i; assert(i == 16); int a[2] = {0, 1}; int k = 0; a[k] = k + 5; assert(a[0] == 5); return 0; }

//: init_list_order error
static int g; static int nx(void) { return g++; } int main(void) { int a[2] = {nx(), nx()}; assert(a[0] == 0); return 0; }

//: struct_order error
static int g; static int nx(void) { return g++; } struct p { int x, y; }; int main(void) { struct p p = {nx(), nx()}; assert(p.y == 1); return 0; }

//: lhs_deref error
static int x, y; static int *p = &x; static int s(void) { p = &y; return 7; } int main(void) { *p = s(); assert(x == 7); return 0; }

//: lhs_deref2 error
static int x, y; static int *p = &x; static int s(void) { p = &y; return 7; } int main(void) { *p = s(); assert(y == 7); return 0; }

//: lhs_any safe
static int x, y; static int *p = &x; static int s(void) { p = &y; return 7; } int main(void) { *p = s(); assert(x + y == 7); return 0; }

//: cond_calls safe
static int g; static int a(void) { g = g * 10 + 1; return 1; } static int b(void) { g = g * 10 + 2; return 0; } int main(void) { if (a() && b()) g = 0; assert(g == 12); return 0; }

//: fn_expr_vs_args error
static int g; static int one(int x) { return x; } static int two(int x) { return x + 100; } static int (*pick(void))(int) { return g ? two : one; } static int set(void) { g = 1; return 0; } int main(void) { assert(pick()(set()) == 0); return 0; }

//: fn_expr_vs_args2 error
static int g; static int one(int x) { return x; } static int two(int x) { return x + 100; } static int (*pick(void))(int) { return g ? two : one; } static int set(void) { g = 1; return 0; } int main(void) { assert(pick()(set()) == 100); return 0; }

//: nested_calls error
static int g; static int t(int k) { g = g * 10 + k; return k; } static int f(int a, int b) { return a + b; } int main(void) { f(t(1), f(t(2), t(3))); assert(g == 123 || g == 321); return 0; }

//: printf_args error
static int g; static int nx(void) { return ++g; } int main(void) { char b[8]; sprintf(b, "%d%d", nx(), nx()); assert(b[0] == '1'); return 0; }

//: ptr_alias_order error
static int f(int *p) { *p = 2; return 1; } int main(void) { int x = 1; int r = x * f(&x); assert(r == 1); return 0; }

//: ptr_alias_order2 error
static int f(int *p) { *p = 2; return 1; } int main(void) { int x = 1; int r = x * f(&x); assert(r == 2); return 0; }

//: subscripts error
static int g; static int nx(void) { return g++; } int main(void) { int m[2][2] = {{0, 1}, {2, 3}}; assert(m[nx()][nx()] == 1); return 0; }

//: relational error
static int g; static int nx(void) { return g++; } int main(void) { assert(nx() < nx()); return 0; }

//: bitops_order error
static int g; static int nx(void) { return ++g; } int main(void) { assert(((nx() << 4) | nx()) == 0x12); return 0; }

//: volatile_order assume
static volatile int v; int main(void) { v = 1; int a = v - v; assert(a == 0); return 0; }

//: unseq_arg memory -
static int f(int a, int b) { return a * 10 + b; } int main(void) { int i = 1; assert(f(i++, i++) == 12); return 0; }

//: post_inc_ptr safe
int main(void) { int a[3] = {1, 2, 3}; int *p = a; int s = 0; s += *p++; s += *p++; assert(s == 3 && *p == 3); return 0; }

//: order_div_ub division
static int g; static int z(void) { g = 0; return 1; } int main(void) { g = 5; int r = z() + 10 / g; return r; }

//: order_write_twice error
static int x; static int set(int v) { x = v; return v; } int main(void) { int s = set(1) + set(2); assert(s == 3); assert(x == 2); return 0; }

//: cond_unspecified_inner error
static int g; static int nx(void) { return ++g; } int main(void) { int c = nint(); int r = (c ? nx() : 5) - (c ? nx() : 5); assert(r <= 0); return 0; }

//: struct_assign_order error
struct s { int v; }; static struct s t[2]; static int g; static struct s *at(void) { return &t[g++]; } static struct s mk(void) { struct s s = {g++}; return s; } int main(void) { *at() = mk(); assert(t[0].v == 1); return 0; }

//: sizeof_no_eval safe
int main(void) { int i = 0; (void)sizeof(i++); (void)sizeof(int[2]); assert(i == 0); int a[2]; (void)sizeof a[i++]; assert(i == 0); return 0; }

//: generic_no_eval safe
int main(void) { int i = 0; int r = _Generic(i++, int : 1, default : 2); assert(r == 1 && i == 0); return 0; }

//: typeof_vla_eval safe
int main(void) { int n = 2; typeof(int[n++]) a; a[1] = 3; assert(n == 3 && sizeof a == 2 * sizeof(int)); return 0; }

//: array_param_eval safe
static int k; static int f(int n, int a[n]) { return a[n - 1]; } int main(void) { int a[2] = {1, 2}; assert(f(2, a) == 2); return 0; }

//: assign_value safe
int main(void) { unsigned char c; int x = (c = 511); assert(x == 255); _Bool b; x = (b = 2); assert(x == 1); struct { int f : 3; } s; x = (s.f = 5); assert(x == -3); return 0; }

//: update_index_used memory -
int main(void) { int a[3] = { 1, 2, 3 }; int i = 0; a[i++] += a[i]; return a[0]; }

//: update_index_is_value memory -
int main(void) { int a[3] = { 1, 2, 3 }; int i = 0; a[i++] += i; return 0; }

//: update_index_alone safe
int main(void) { int a[3] = { 1, 2, 3 }; int i = 0, j = 2; a[i++] += a[j]; *(a + i++) -= j; assert(a[0] == 4 && a[1] == 0 && i == 2); return 0; }

//: member_changed_twice memory -
struct s { int x, y; }; int main(void) { struct s s = { 1, 2 }; s.x = s.x++ + s.y; return s.x; }

//: member_used memory -
struct s { struct { int x; } a, b; }; int main(void) { struct s s = { { 1 }, { 2 } }; return s.a.x + s.a.x++; }

//: other_members safe
struct s { struct { int x; char c, d; } a, b; }; int main(void) { struct s s = { { 1, 1, 2 }, { 2, 3, 4 } }; s.a.x = s.b.x++ + s.a.x; int k = s.a.c + s.a.d++; assert(s.a.x == 3 && s.b.x == 3 && k == 3 && s.a.d == 3); return 0; }

//: element_used memory -
int main(void) { int a[2] = { 1, 2 }; return a[1] + a[1]++; }

//: other_element safe
int main(void) { int a[2] = { 1, 2 }; int k = a[0] + a[1]++; assert(k == 3 && a[1] == 3); return 0; }

//: element_may_be_the_same assume
int main(void) { int a[2] = { 0, 0 }; int i = nint() & 1, j = nint() & 1; a[i] = a[j]++; return 0; }

//: elements_through_pointers assume
static int f(int *p, int *q) { return *p + (*q)++; } int main(void) { int x = 1, y = 2; assert(f(&x, &y) == 3); return 0; }

//: copy_by_pointers safe
int main(void) { char a[3] = "ab", b[3]; char *p = b; const char *q = a; while ((*p++ = *q++)); assert(b[1] == 'b'); return 0; }

//: call_between_two_others assume
static int g; static int a(void) { g = g * 10 + 1; return 0; } static int b(void) { g = g * 10 + 2; return 0; } static int c(void) { g = g * 10 + 3; return 0; } int main(void) { int k = (a() + b()) + c(); assert(g != 132); return k; }

//: call_between_argument_and_call assume
static int g; static int a(void) { g = g * 10 + 1; return 0; } static int b(int x) { g = g * 10 + 2; return x; } static int c(void) { g = g * 10 + 3; return 0; } static int d(int x) { g = g * 10 + 4; return x; } int main(void) { int k = b(a()) + d(c()); assert(g != 1324); return k; }

//: call_between_two_reads assume
static int g = 1, h = 1; static int f(void) { g = h = 2; return 0; } int main(void) { int k = (g + h) + f(); assert(k != 3); return 0; }

//: call_and_one_read safe
static int g = 1, h = 1; static int f(void) { g = 2; return 0; } int main(void) { int k = (g + h) + f(); assert(k == 2 || k == 3); return 0; }

//: lengths_changed_twice memory -
int main(void) { int n = 1; int a[n++][n++]; return sizeof a > 100; }

//: lengths_by_calls assume
static int n = 1; static int g(void) { return ++n; } static int h(void) { return n *= 5; } int main(void) { int a[g()][h()]; assert(sizeof a[0] == 40); return 0; }

//: lengths_of_a_pointer memory -
int main(void) { int n = 1; int (*p)[n++][n]; return sizeof *p > 100; }

//: lengths_of_two_declarators safe
int main(void) { int n = 1; typedef int row[n++]; typedef int other[n++]; int a[n++], b[n]; assert(sizeof(row) == 4 && sizeof(other) == 8 && sizeof a == 12 && sizeof b == 16); return 0; }

//: lengths_apart safe
static int n = 1; static int g(void) { return ++n; } int main(void) { int m = 4; int a[m][g()][m]; assert(sizeof a == 128); return 0; }
