// Addresses on their way through integers, tables, bytes, unions, floats and functions.

//: via_long_table error 777
static int x, y; long t[3] = {0, (long)&x, (long)&y}; int main(void) { int i = nint() == 777; *(int *)t[1 + i] = 5; assert(y == 0); return 0; }

//: via_int_pair error 777
static int x; struct { unsigned lo, hi; } h; int main(void) { uintptr_t u = (uintptr_t)&x; memcpy(&h, &u, 8); int *p; memcpy(&p, &h, 8); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_bitfield error 777
struct { unsigned long lo : 40, hi : 24; } h; int main(void) { int x = 0; uintptr_t u = (uintptr_t)&x; h.lo = u; h.hi = u >> 40; int *p = (int *)(((uintptr_t)h.hi << 40) | h.lo); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_mul error 777
int main(void) { int x = 0; uintptr_t u = (uintptr_t)&x * 3; int *p = (int *)(u / 3); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_mod error 777
int main(void) { int x = 0; uintptr_t u = (uintptr_t)&x, q = u / 1000, r = u % 1000; int *p = (int *)(q * 1000 + r); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_neg error 777
int main(void) { int x = 0; uintptr_t u = -(uintptr_t)&x; int *p = (int *)-u; if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_not error 777
int main(void) { int x = 0; uintptr_t u = ~(uintptr_t)&x; int *p = (int *)~u; if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_tag error 777
int main(void) { int x = 0; uintptr_t u = (uintptr_t)&x | 1; int *p = (int *)(u & ~(uintptr_t)1); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_cond_bits error 777
int main(void) { int x = 0, y = 0; uintptr_t m = -(uintptr_t)(nint() == 777); int *p = (int *)(((uintptr_t)&x & m) | ((uintptr_t)&y & ~m)); *p = 1; assert(!x); return 0; }

//: xor_list error 777
int main(void) { int x = 0, y = 0; uintptr_t k = (uintptr_t)&x ^ (uintptr_t)&y; int *p = &y; if (nint() == 777) p = (int *)((uintptr_t)p ^ k); *p = 1; assert(!x); return 0; }

//: via_strlen_count error 777
int main(void) { int x = 0; int *p = &x; char b[sizeof p]; for (unsigned i = 0; i < sizeof p; i++) b[i] = ((char *)&p)[sizeof p - 1 - i]; char c[sizeof p]; for (unsigned i = 0; i < sizeof p; i++) c[i] = b[sizeof p - 1 - i]; int *q = *(int **)c; if (nint() == 777) *q = 1; assert(!x); return 0; }

//: via_sprintf_ptr error 777
int main(void) { int x = 0; char b[40]; sprintf(b, "%lu", (unsigned long)&x); int *p = (int *)strtoul(b, 0, 10); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: via_float_struct error 777
struct f { float a, b; }; int main(void) { int x = 0; int *p = &x; struct f f, g; memcpy(&f, &p, sizeof p); g = f; int *q; memcpy(&q, &g, sizeof q); if (nint() == 777) *q = 1; assert(!x); return 0; }

//: via_union_double error 777
union u { double d; int *p; }; int main(void) { int x = 0; union u a, b; a.p = &x; b.d = a.d; if (nint() == 777) *b.p = 1; assert(!x); return 0; }

//: via_ldouble_param error 777
static int x; static void set(double d) { int *q; memcpy(&q, &d, sizeof q); *q = 1; } int main(void) { int *p = &x; double d; memcpy(&d, &p, sizeof p); if (nint() == 777) set(d); assert(!x); return 0; }

//: via_argv_style error 777
static int x; static void f(void **args) { *(int *)args[1] = 1; } int main(void) { void *a[] = {0, &x, 0}; if (nint() == 777) f(a); assert(!x); return 0; }

//: fn_in_long_table error 777
static int g; static void set(void) { g = 1; } static void nop(void) {} static const unsigned long t[2] = {(unsigned long)nop, (unsigned long)set}; int main(void) { void (*f)(void) = (void (*)(void))t[nint() == 777]; f(); assert(!g); return 0; }

//: fn_bytes error 777
static int g; static void set(void) { g = 1; } int main(void) { void (*f)(void) = set, (*h)(void); unsigned char b[sizeof f]; memcpy(b, &f, sizeof f); memcpy(&h, b, sizeof h); if (nint() == 777) h(); assert(!g); return 0; }

//: fn_xor error 777
static int g; static void set(void) { g = 1; } int main(void) { uintptr_t k = (uintptr_t)set ^ 0x1234; if (nint() == 777) ((void (*)(void))(k ^ 0x1234))(); assert(!g); return 0; }

//: fn_voidp error 777
static int g; static void set(int v) { g = v; } int main(void) { void *p = (void *)set; if (nint() == 777) ((void (*)(int))p)(3); assert(g != 3); return 0; }

//: label_table error 777
int main(void) { static void *t[] = {&&a, &&b}; int r = 0; goto *t[nint() == 777]; a: r = 1; goto e; b: r = 2; e: assert(r == 1); return 0; }

//: container_of error 777
struct in { int k; }; struct out { int a; struct in i; int b; }; int main(void) { struct out o = {0}; struct in *p = &o.i; struct out *q = (struct out *)((char *)p - offsetof(struct out, i)); if (nint() == 777) q->b = 1; assert(!o.b); return 0; }

//: array_neg error 777
int main(void) { int a[4] = {0}; int *p = a + 3; if (nint() == 777) p[-2] = 1; assert(!a[1]); return 0; }

//: two_level error 777
static int x; static int *px = &x; static long tp = (long)&px; int main(void) { if (nint() == 777) **(int **)tp = 1; assert(!x); return 0; }

//: returned_int error 777
static int x; static long addr(void) { return (long)&x; } int main(void) { if (nint() == 777) *(int *)addr() = 1; assert(!x); return 0; }

//: static_struct_long error 777
static int x; static struct { char c; long l[2]; } s = {1, {0, (long)&x + 4 - 4}}; int main(void) { if (nint() == 777) *(int *)s.l[1] = 1; assert(!x); return 0; }

//: sub_object error 777
static struct { int a[2], b; } s; long l = (long)&s.a[1]; int main(void) { if (nint() == 777) *(int *)(l + 4) = 1; assert(!s.b); return 0; }

//: copy_whole_array error 777
int main(void) { int x = 0; long a[4] = {0}, b[4]; a[2] = (long)&x; memcpy(b, a, sizeof a); memmove(a, b + 1, 16); if (nint() == 777) *(int *)a[1] = 1; assert(!x); return 0; }

//: through_qsort error 777
static int cmp(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; } int main(void) { int x = 2, y = 1; int *t[2] = {&x, &y}; qsort(t, 2, sizeof *t, cmp); if (nint() == 777) *t[1] = 9; assert(x == 2); return 0; }

//: through_bsearch error 777
static int x; struct e { int k; int *p; }; static int cmp(const void *a, const void *b) { return ((struct e *)a)->k - ((struct e *)b)->k; } int main(void) { struct e t[2] = {{1, 0}, {2, &x}}, key = {2, 0}; struct e *f = bsearch(&key, t, 2, sizeof *t, cmp); if (f && nint() == 777) *f->p = 1; assert(!x); return 0; }

//: through_strchr error 777
int main(void) { char b[] = "abc"; char *p = strchr(b, 'b'); if (p && nint() == 777) *p = 'z'; assert(b[1] == 'b'); return 0; }

//: through_realloc_table error 777
int main(void) { int x = 0; long *t = malloc(8); if (!t) return 0; t[0] = (long)&x; long *u = realloc(t, 64); if (!u) { free(t); return 0; } if (nint() == 777) *(int *)u[0] = 1; free(u); assert(!x); return 0; }

//: through_vaarg_long error 777
static void f(int n, ...) { va_list ap; va_start(ap, n); long l = va_arg(ap, long); *(int *)l = 1; va_end(ap); } int main(void) { int x = 0; if (nint() == 777) f(1, (long)&x); assert(!x); return 0; }

//: through_vaarg_struct error
struct m { int k; int *p; }; static void f(int n, ...) { va_list ap; va_start(ap, n); struct m m = va_arg(ap, struct m); *m.p = m.k; va_end(ap); } int main(void) { int x = 0; struct m m = {5, &x}; if (nint() == 777) f(1, m); assert(!x); return 0; }

//: through_struct_return error 777
struct m { char pad[3]; int *p; }; static struct m mk(int *p) { struct m m = {{0}, p}; return m; } int main(void) { int x = 0; if (nint() == 777) *mk(&x).p = 1; assert(!x); return 0; }

//: cast_struct_view error 777
struct a { int *p; long v; }; struct b { long p; long v; }; int main(void) { int x = 0; struct a a = {&x, 1}; struct b *b = (struct b *)&a; if (nint() == 777) *(int *)b->p = 1; assert(!x); return 0; }

//: hash_of_pointer safe
int main(void) { int x = 0, y = 0; unsigned h = (unsigned)((uintptr_t)&x >> 4) % 7; int t[7] = {0}; t[h] = 1; int s = 0; for (int i = 0; i < 7; i++) s += t[i]; assert(s == 1 && !x && !y); return 0; }

//: pointer_round_trip_eq safe
int main(void) { int x; int *p = &x; long l = (long)p; assert((int *)l == p && l != 0 && (int *)(l + 0) == &x); return 0; }

//: wild_from_input memory 777
int main(void) { long l = nint(); int x = 0; if (l == 777) *(int *)l = 1; assert(!x); return 0; }

//: one_past_eq_unspecified assume
int main(void) { int a[2], b[2]; assert(a + 2 != b); return 0; }

//: null_plus_zero safe
int main(void) { char *p = 0; char *q = p; assert(p == q && !p); int *r = (int *)0; assert(r == NULL); return 0; }

//: ptr_in_char_arr_struct_assign error 777
struct raw { unsigned char b[8]; }; int main(void) { int x = 0; int *p = &x, *q; struct raw r, s; memcpy(r.b, &p, 8); s = r; memcpy(&q, s.b, 8); if (nint() == 777) *q = 1; assert(!x); return 0; }

//: bump error 777
static char pool[64]; static char *cur = pool; static void *get(unsigned n) { void *p = cur; cur += (n + 7) / 8 * 8; return p; } int main(void) { int *a = get(4), *b = get(4); *a = 1; *b = 2; if (nint() == 777) a[2] = 7; assert(*b == 2); return 0; }

//: int128_ptr error 777
int main(void) { int x = 0; __int128 w = (uintptr_t)&x; w <<= 20; int *p = (int *)(uintptr_t)(w >> 20); if (nint() == 777) *p = 1; assert(!x); return 0; }

//: bool_ptr safe
int main(void) { int x; _Bool b = &x; assert(b); assert(!!&x == 1); int *p = 0; b = p; assert(!b); return 0; }

//: ptr_array_of_array error 777
static int m[2][3]; static int (*t[2])[3] = {&m[0], &m[1]}; int main(void) { int i = nint() == 777; (*t[i])[2] = 1; assert(!m[1][2]); return 0; }

//: global_alias_via_extern error 777
extern int g; static int *p = &g; int g = 0; int main(void) { if (nint() == 777) *p = 1; assert(!g); return 0; }

//: ilp32_int_addr error 777 --data-model ilp32
int main(void) { int x = 0; int a = (int)&x; if (nint() == 777) *(int *)a = 1; assert(!x); return 0; }

//: ilp32_short_halves error 777 --data-model ilp32
int main(void) { int x = 0; unsigned short l = (unsigned)&x, h = (unsigned)&x >> 16; if (nint() == 777) *(int *)((unsigned)h << 16 | l) = 1; assert(!x); return 0; }

//: ilp32_float_copy error 777 --data-model ilp32
int main(void) { int x = 0; int *p = &x, *q; float f; memcpy(&f, &p, 4); memcpy(&q, &f, 4); if (nint() == 777) *q = 1; assert(!x); return 0; }

//: equal_to_function safe
struct s { void (*f)(int *); }; static void g(int *x) { *x = 1; } int main(void) { struct s *p = malloc(sizeof *p); if (!p) return 0; assume(p->f == g); int x = 0; p->f(&x); assert(x == 1); return 0; }

//: equal_to_another_function safe
struct s { void (*f)(int *); }; static void g(int *x) { *x = 1; } static void h(int *x) { *x = 2; } int main(void) { struct s *p = malloc(sizeof *p); if (!p) return 0; if (nint()) p->f = h; assume(p->f == g || p->f == h); int x = 0; p->f(&x); assert(x == 1 || x == 2); return 0; }

//: equal_to_object safe
struct s { int *q; }; static int x; int main(void) { struct s *p = malloc(sizeof *p); if (!p) return 0; assume(p->q == &x); *p->q = 5; assert(x == 5); return 0; }

//: null_plus_one pointer --check pointer
int main(void) { int *p = 0; int k = nint(); if (k != 1) return 0; p += k; return p == 0; }

//: null_minus_one pointer --check pointer
static char *back(char *p) { return p - 1; } int main(void) { char b[2]; char *p = nint() ? b + 1 : 0; return back(p) == b; }

//: null_plus_nothing safe --check pointer
int main(void) { int *p = 0; int k = 0; p += k; return p != 0; }

//: index_leaves_member memory 4
struct s { int a[4]; int b; }; int main(void) { struct s s = { { 1, 2, 3, 4 }, 5 }; int i = nint(); assume(i >= 0 && i <= 4); return s.a[i]; }

//: index_before_member memory -
struct s { int b; int a[4]; int c; }; int main(void) { struct s s = { 5, { 1, 2, 3, 4 }, 6 }, *p = &s; int i = nint(); if (i >= -1 && i < 4) return p->a[i]; return 0; }

//: index_leaves_row memory 3
int main(void) { int a[2][2] = { { 1, 2 }, { 3, 4 } }; int i = nint(); if (i >= 0 && i < 4) return a[0][i]; return 0; }

//: index_leaves_union_member memory 2
union u { int a[2]; struct { int x, y, z; } s; }; int main(void) { union u u = { .s = { 1, 2, 3 } }; int i = nint(); if (i >= 0 && i < 3) return u.a[i]; return 0; }

//: index_in_member_of_element memory 3
struct s { int a[3]; int b[3]; } g[2]; int main(void) { int i = nint(); if (i < 0 || i > 5) return 0; g[1].a[i] = 1; assert(g[1].b[0] == 0); return 0; }

//: index_in_member safe
struct s { unsigned char t[256]; int m[2][3]; int e; }; int main(void) { struct s s = { { 0 } }, *p = &s; unsigned char c = __VERIFIER_nondet_uchar(); unsigned i = nuint() % 2, j = nuint() % 3; p->e = 4; p->t[c] = 5; p->m[i][j] = 6; assert(s.e == 4 && s.t[c] == 5 && s.m[i][j] == 6); return 0; }

//: index_of_last_member safe
struct s { int n; int a[1]; }; int main(void) { struct s *p = malloc(sizeof *p + 4 * sizeof(int)); if (!p) return 0; int i = nint(); if (i >= 0 && i < 5) { p->a[i] = 3; assert(p->a[i] == 3); } free(p); return 0; }

//: rows_in_one_walk safe
int main(void) { int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, s = 0; for (int *p = m[0]; p < m[0] + 6; p++) s += *p; assert(s == 21); return 0; }

//: end_of_member safe
struct s { char a[4], b[4]; }; int main(void) { struct s s = { "abc", "xyz" }; char *end = &s.a[4]; int n = 0; for (char *p = s.a; p != end; p++) n++; assert(n == 4); return 0; }

//: index_after_test safe
struct s { int a[2]; int b; }; int main(void) { struct s s = { { 1, 2 }, 3 }; int i = nint(); int r = i >= 0 && i < 2 && s.a[i] == i + 1; assert(r == (i == 0 || i == 1)); return 0; }

//: records_overlap_in_part memory -
struct p { int a[4]; }; int main(void) { int b[6] = { 1, 2, 3, 4, 5, 6 }; struct p *p = (struct p *)b, *q = (struct p *)(b + 1); *q = *p; return 0; }

//: records_may_be_one safe
struct p { int a[4]; }; int main(void) { int b[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }; struct p *p = (struct p *)b, *q = (struct p *)(b + 4); if (nint()) q = p; *q = *p; assert(b[3] == 4); return 0; }

//: members_of_a_union_overlap assume
struct q { int a, b; }; union u { struct { int x; struct q s; } p; struct q q; }; int main(void) { union u u; u.q.a = 1; u.q.b = 2; u.p.s = u.q; assert(u.p.s.a == 1 && u.p.s.b == 2 && u.p.x == 1); return 0; }

//: members_of_a_union_are_one safe
struct q { int a, b; }; union u { struct { struct q s; int x; } p; struct q q; }; int main(void) { union u u, *v = &u; u.q.a = 1; u.q.b = 2; u.p.s = u.q; v->q = v->p.s; assert(u.p.s.b == 2); return 0; }

//: index_leaves_row_behind_pointer memory 2
static int f(int m[][2], int j) { return m[0][j]; } int main(void) { int a[2][2] = { { 1, 2 }, { 3, 4 } }; int j = nint(); return j >= 0 && j < 3 ? f(a, j) : 0; }

//: index_in_row_behind_pointer safe
int main(void) { int n = 3, a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int (*p)[3] = a, (*q)[n] = a; int i = nint(), j = nint(); assume(i >= 0 && i < 2 && j >= 0 && j < 3); assert(p[i][j] == 3 * i + j + 1 && (*p)[j] == j + 1 && q[i][j] == p[i][j]); return 0; }

//: update_at_a_number memory -
int main(void) { *(volatile unsigned *)0x20000000 |= nuint(); return 0; }

//: pointer_written_at_a_number memory -
static int x; int main(void) { if (nint() == 3) *(int **)0x20000000 = &x; return 0; }

//: nothing_is_written_at_a_number safe
static int x; int *f(void) { return &x; } int main(void) { unsigned n = nuint(); if (n % 3 == 3) *(int **)0x20000000 = f(); assert(*f() == 0); return 0; }

//: trust_lit_share assume
int main(void) { assert("abc" + 1 != "bc"); return 0; }

//: trust_int_cmp assume
static int x; int main(void) { assert(&x != (int *)1234567); return 0; }

//: trust_int_cmp2 assume
int main(void) { int x = nint(); int *p = &x; assert(p != (int *)0x7f0000001000); return *p != x; }

//: trust_int_cmp3 safe
int main(void) { int x = nint(); int *p = x ? &x : (int *)-1; assert(p != (int *)-1 || !x); return 0; }

//: trust_past_c1 assume
static int a[2], b[2]; int main(void) { assert(a + 2 != b); return 0; }

//: trust_past_c2 assume
static int a[2], b[2]; int main(void) { assert(b - a != 77); return 0; }

//: trust_past_c4 safe
static int a[2], b[2]; int main(void) { assert(a + 1 != b && a != b && &a[0] < &a[2] && a + 2 - a == 2); return 0; }

//: trust_past_c5 assume
int main(void) { int a[2], b[2]; assert(&a[2] != &b[0]); a[0] = b[0] = 1; return a[0] - b[0]; }

//: trust_lit_no_share safe
int main(void) { const char *p = nint() ? "abc" : "xbc", *q = "bd"; assert(p != q); return 0; }

//: trust_cg1 safe
int main(void) { static void *t[] = { &&a, &&b, &&c }; int i = nint() & 1, r = 0; goto *t[i]; a: r = 1; i++; goto *t[2]; b: r = 2; i++; goto *t[2]; c: assert(r == i); return 0; }

//: trust_cg3 safe
int main(void) { static const int off[] = { &&a - &&a, &&b - &&a }; int i = nint() & 1, r; goto *(&&a + off[i]); a: r = 0; goto e; b: r = 1; e: assert(r == i); return 0; }
