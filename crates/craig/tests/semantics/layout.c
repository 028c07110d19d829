// Bit-fields, unions, padding, alignment, flexible arrays, arrays of variable length.

//: bf_signed safe
struct { int a : 1; unsigned b : 1; signed c : 2; } s; int main(void) { s.a = 1; s.b = 1; s.c = 3; assert(s.a == -1 && s.b == 1 && s.c == -1); return 0; }

//: bf_plain_signed safe
struct { int a : 3; } s; int main(void) { s.a = 7; assert(s.a == -1); s.a = 4; assert(s.a < 0); return 0; }

//: bf_straddle safe
struct { unsigned char a; unsigned b : 20; unsigned c : 10; } s; int main(void) { assert(sizeof s == 8 || sizeof s == 4); s.b = 0xfffff; s.c = 0x3ff; s.a = 1; assert(s.b == 0xfffff && s.c == 0x3ff && s.a == 1); return 0; }

//: bf_straddle_size safe
struct a { unsigned char a; unsigned b : 20; unsigned c : 10; }; struct b { char a; int b : 24; }; struct c { short a; int b : 17; }; struct d { int a : 8; char b; int : 0; char c; }; int main(void) { assert(sizeof(struct a) == 8); assert(sizeof(struct b) == 4 && sizeof(struct c) == 8 && sizeof(struct d) == 8); return 0; }

//: bf_unnamed safe
struct s { unsigned a : 4; unsigned : 4; unsigned b : 8; }; int main(void) { struct s s = {1, 2}; unsigned char *p = (unsigned char *)&s; assert(p[1] == 2 && (p[0] & 15) == 1); return 0; }

//: bf_zero_width safe
struct s { char a; int : 0; char b; }; struct t { int a : 3; int : 0; int b : 3; }; int main(void) { assert(offsetof(struct s, b) == 4 && sizeof(struct t) == 8); return 0; }

//: bf_copy safe
struct s { unsigned a : 3, b : 5; int c : 9; }; int main(void) { struct s x = {5, 17, -200}, y = x, z; z = y; assert(z.a == 5 && z.b == 17 && z.c == -200); return 0; }

//: bf_inc_wrap safe
struct { unsigned a : 2; int b : 3; } s; int main(void) { s.a = 3; s.a++; assert(s.a == 0); s.b = 3; s.b++; assert(s.b == -4); return 0; }

//: bf_compound safe
struct { unsigned a : 4; } s; int main(void) { s.a = 9; s.a += 9; assert(s.a == 2); s.a <<= 3; assert(s.a == 0); s.a = ~0; assert(s.a == 15); s.a ^= 6; assert(s.a == 9); return 0; }

//: bf_promo safe
struct { unsigned a : 5; unsigned b : 32; unsigned long c : 33; unsigned long d : 31; } s; int main(void) { assert(s.a - 1 < 0); assert(s.b - 1 > 0); assert(s.d - 1 < 0); assert(s.c - 1 > 0); return 0; }

//: bf_long_arith safe
struct { unsigned long c : 40; } s; int main(void) { s.c = 0xffffffffffUL; assert((s.c << 8) >> 8 == 0xffffffffffUL || 1); unsigned long t = s.c + 1; assert(t == 0x10000000000UL || t == 0); return 0; }

//: bf_bool safe
struct { _Bool a : 1; } s; int main(void) { s.a = 2; assert(s.a == 1); s.a = 0.5; assert(s.a == 1); return 0; }

//: bf_enum safe
enum e { A, B, C = 3 }; struct { enum e x : 2; enum e y : 2; } s; int main(void) { s.x = C; s.y = B; assert(s.x == C && s.y == B); return 0; }

//: bf_ptr_neighbour safe
struct s { unsigned a : 8; unsigned char b; }; int main(void) { struct s s = {1, 2}; unsigned char *p = &s.b; s.a = 255; assert(*p == 2); *p = 7; assert(s.a == 255 && s.b == 7); return 0; }

//: bf_cmp_uninit safe
struct { int a : 31; } s; int main(void) { s.a = nint(); assert(s.a >= -1073741824 && s.a <= 1073741823); return 0; }

//: bf_union safe
union { struct { unsigned lo : 4, hi : 4; } f; unsigned char c; } u; int main(void) { u.c = 0xa5; assert(u.f.lo == 5 && u.f.hi == 10); u.f.hi = 1; assert(u.c == 0x15); return 0; }

//: bf_packed safe
struct __attribute__((packed)) s { unsigned a : 3; unsigned b : 15; unsigned c : 6; char d; }; int main(void) { assert(sizeof(struct s) == 4); struct s s = {5, 0x1234, 0x2a, 9}; unsigned char *p = (unsigned char *)&s; assert(p[0] == 0xa5 && p[1] == 0x91 && p[2] == 0xa8 && p[3] == 9); return 0; }

//: packed_align safe
struct __attribute__((packed)) s { char c; int i; short h; }; int main(void) { assert(sizeof(struct s) == 7 && offsetof(struct s, i) == 1 && _Alignof(struct s) == 1); struct s s = {1, 0x01020304, 5}; unsigned char b[7]; memcpy(b, &s, 7); assert(b[1] == 4 && b[5] == 5); return 0; }

//: aligned_member safe
struct s { char c; int i __attribute__((aligned(16))); char d; }; int main(void) { assert(sizeof(struct s) == 32 && offsetof(struct s, i) == 16 && _Alignof(struct s) == 16); return 0; }

//: aligned_type safe
typedef int a16 __attribute__((aligned(16))); struct s { char c; a16 i; }; int main(void) { assert(sizeof(struct s) == 32 && sizeof(a16) == 4); a16 x; assert((uintptr_t)&x % 16 == 0); return 0; }

//: pragma_pack safe
#pragma pack(push, 1)
struct s { char c; long l; }; 
#pragma pack(pop)
struct t { char c; long l; }; int main(void) { assert(sizeof(struct s) == 9 && sizeof(struct t) == 16); return 0; }

//: pragma_pack2 safe
#pragma pack(2)
struct s { char c; int i; }; 
#pragma pack()
int main(void) { assert(sizeof(struct s) == 6 && offsetof(struct s, i) == 2); return 0; }

//: union_size safe
union u { char c[5]; int i; }; struct s { union u u; char c; }; int main(void) { assert(sizeof(union u) == 8 && sizeof(struct s) == 12); return 0; }

//: union_write_short error 1
union u { int i; short s; }; int main(void) { union u u; u.i = -1; u.s = nint(); assert(u.i < 0 && u.i != -65535); return 0; }

//: union_upper_bytes safe
union u { unsigned i; unsigned short s; }; int main(void) { union u u; u.i = 0xaabbccdd; u.s = 0x1122; assert((u.i & 0xffff) == 0x1122); return 0; }

//: union_float safe
union u { float f; unsigned u; }; int main(void) { union u u; u.f = -0.0f; assert(u.u == 0x80000000u); u.u = 0x7f800000; assert(u.f > 3e38f); return 0; }

//: union_ptr error 777
union u { int *p; unsigned long l; }; int main(void) { int x = 0; union u u; u.p = &x; u.l += 0; if (nint() == 777) *u.p = 1; assert(!x); return 0; }

//: union_common_prefix safe
union u { struct { int t; int a; } x; struct { int t; float b; } y; }; int main(void) { union u u; u.x.t = 3; u.y.b = 1.0f; assert(u.x.t == 3 && u.x.a == 0x3f800000); return 0; }

//: union_struct_assign safe
union u { struct { char a, b; } s; short h; }; int main(void) { union u u, v; u.s.a = 1; u.s.b = 2; v = u; assert(v.h == 0x0201); return 0; }

//: union_init_first safe
union u { char c; int i; }; static union u g = {1}; int main(void) { union u u = {0x101}; assert(g.i == 1 && u.c == 1); return 0; }

//: union_array_active error
union u { int a[2]; long l; }; int main(void) { union u u; u.l = __VERIFIER_nondet_long(); assert(u.a[1] != 12); return 0; }

//: pad_arbitrary error
struct s { char c; int i; }; int main(void) { struct s s; s.c = 1; s.i = 2; unsigned char *p = (unsigned char *)&s; assert(p[1] == 0); return 0; }

//: pad_static safe
struct s { char c; int i; }; static struct s s; int main(void) { unsigned char *p = (unsigned char *)&s; assert(p[1] == 0 && p[3] == 0); return 0; }

//: pad_calloc safe
struct s { char c; int i; }; int main(void) { struct s *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q); if (!p || !q) return 0; assert(!memcmp(p, q, sizeof *p)); free(p); free(q); return 0; }

//: pad_memcpy_keeps safe
struct s { char c; int i; }; int main(void) { struct s a, b; memset(&a, 7, sizeof a); memcpy(&b, &a, sizeof b); assert(!memcmp(&a, &b, sizeof a)); return 0; }

//: pad_member_store assume
struct s { char c; int i; }; int main(void) { struct s a; memset(&a, 7, sizeof a); a.c = 1; assert(((unsigned char *)&a)[1] == 7); return 0; }

//: memcmp_fields safe
struct s { int i, j; }; int main(void) { struct s a = {1, 2}, b = {1, 2}; assert(!memcmp(&a, &b, sizeof a)); b.j = 3; assert(memcmp(&a, &b, sizeof a) < 0); return 0; }

//: array_bytes safe
int main(void) { short a[3] = {0x0102, 0x0304, 0x0506}; char *p = (char *)a; assert(p[0] == 2 && p[3] == 3 && p[5] == 5); p[2] = 9; assert(a[1] == 0x0309); return 0; }

//: long_double_size safe
int main(void) { assert(sizeof(long double) == 16 && _Alignof(long double) == 16); struct { char c; long double d; } s; assert(sizeof s == 32); return 0; }

//: ilp32_ldouble safe --data-model ilp32
int main(void) { assert(sizeof(long double) == 12); struct { char c; long double d; } s; assert(sizeof s == 16); struct { char c; double d; } t; assert(sizeof t == 12 && _Alignof(double) == 8 || 1); struct { char c; long long d; } u; assert(sizeof u == 12); return 0; }

//: ilp32_sizes safe --data-model ilp32
int main(void) { assert(sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(ptrdiff_t) == 4 && sizeof(wchar_t) == 4 && sizeof(intmax_t) == 8); return 0; }

//: flexible safe
struct s { int n; short d[]; }; int main(void) { assert(sizeof(struct s) == 4); struct s *p = malloc(sizeof *p + 3 * sizeof(short)); if (!p) return 0; p->n = 3; p->d[0] = 1; p->d[2] = 3; assert(p->d[2] == 3 && p->n == 3); struct s t = *p; assert(t.n == 3); free(p); return 0; }

//: flexible_over memory
struct s { int n; short d[]; }; int main(void) { struct s *p = malloc(sizeof *p + 3 * sizeof(short)); if (!p) return 0; p->d[3] = 1; free(p); return 0; }

//: flexible_tail_pad safe
struct s { long l; char c; char d[]; }; int main(void) { assert(sizeof(struct s) == 16 && offsetof(struct s, d) == 9); struct s *p = malloc(sizeof *p); if (!p) return 0; p->d[6] = 1; assert(p->d[6] == 1); free(p); return 0; }

//: array1_hack safe
struct s { int n; int d[1]; }; int main(void) { struct s *p = malloc(sizeof *p + 8); if (!p) return 0; p->d[2] = 3; assert(p->d[2] == 3); free(p); return 0; }

//: struct_out memory 4
struct s { int a[2]; int b[2]; }; int main(void) { struct s s = {{1, 2}, {3, 4}}; int *p = (int *)&s; int i = nint(); assume(i >= 0 && i < 5); return p[i]; }

//: anon_union safe
struct s { int k; union { int i; struct { short a, b; }; }; }; int main(void) { struct s s = {.k = 1, .a = 2, .b = 3}; assert(s.i == 0x30002); s.i = 5; assert(s.a == 5 && s.b == 0); return 0; }

//: transparent_nested safe
struct o { struct { int x; struct { int y; } in; }; int z; }; int main(void) { struct o o = {{1, {2}}, 3}; assert(o.x == 1 && o.in.y == 2 && o.z == 3); return 0; }

//: offset_nested safe
struct o { char c; struct { short a; long b[3]; } in[2]; }; int main(void) { assert(offsetof(struct o, in[1].b[2]) == 8 + 32 + 8 + 16); return 0; }

//: misaligned alignment --check alignment
int main(void) { char b[8] = {0}; int i = nint() & 3; return *(int *)(b + i); }

//: aligned_ok safe --check alignment
int main(void) { _Alignas(8) char b[8] = {0}; return *(int *)(b + 4); }

//: char_align alignment --check alignment
int main(void) { struct { char c, d[4]; int k; } s = {0}; return *(int *)s.d; }

//: big_endian_read safe
static unsigned be(const unsigned char *p) { return (unsigned)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; } int main(void) { unsigned char b[4] = {0x80, 1, 2, 3}; assert(be(b) == 0x80010203u); return 0; }

//: order_of_objects error
int main(void) { int a, b; assert(&a < &b); return 0; }

//: other_order_of_objects error
int main(void) { int a, b; assert(&b < &a); return 0; }

//: order_within_an_object safe
int main(void) { int a[3]; struct { int x, y; } s; assert(&a[0] < &a[2] && &s.x < &s.y && a + 3 > a); return 0; }

//: wide_bit_fields_compare safe
int main(void) { struct { uint64_t h : 48, d : 16; } a = {1, 2}, b = {1, 3}; assert(a.h == b.h && a.h <= b.h); b.h = 0xffffffffffffull; assert(a.h < b.h && b.h != a.h && b.h > 7u); return 0; }

//: bf_conversion conversion --check conversion
int main(void) { struct { unsigned a : 3; } s; s.a = nint() & 15; return s.a; }

//: bf_conversion_fits safe --check conversion
int main(void) { struct { unsigned a : 3; int b : 4; } s; s.a = nint() & 7; s.b = -8; s.b = s.a; return s.b; }

//: bf_conversion_local conversion --check conversion
struct s { int a : 3, b : 5; }; int main(void) { struct s s = {0, 0}; struct s *p = &s; p->b = nint() & 16; return s.b; }

//: vla_sizeof_effect safe
int main(void) { int n = 3; size_t s = sizeof(int[n++]); assert(s == 12 && n == 4); int a[n]; s = sizeof(a[n++]); assert(n == 4 && s == 4); s = sizeof(int[2][n++]); assert(n == 5 && s == 32); return 0; }

//: vla_sizeof_ptr safe
int main(void) { int n = 2; int a[3][n]; int (*p)[n] = a; n = 7; size_t s = sizeof *p; assert(s == 8); s = sizeof(*p++); assert(s == 8 && p == a + 1); s = sizeof a; assert(s == 24); return 0; }

//: vla_typeof safe
int main(void) { int n = 3; int a[n]; __typeof__(a) b; n = 8; assert(sizeof b == 12); __typeof__(int[n++]) c; assert(n == 9 && sizeof c == 32); return 0; }

//: vla_cond_ptr error 1440528649
int main(void) { int n = 2, x = 0; int *t[n]; t[0] = 0; t[1] = &x; int **u = t; if ((nuint() * 2654435761u == 12345u)) *u[n - 1] = 1; assert(!x); return 0; }

//: wide_bit_field_unsigned safe
struct s { unsigned long b : 40; long a : 33; } s; int main(void) { s.b = 0xffffffffffUL; assert(s.b + 1 == 0 && ~s.b == 0 && -s.b == 1 && s.b * s.b == 1); s.b = 3; assert(s.b - 4 == 0xffffffffffUL && (s.b - 4) >> 39 == 1 && (s.b << 38 << 1) == 0x8000000000UL && sizeof(s.b + 1) == 8); return 0; }

//: wide_bit_field_operands safe
struct s { unsigned long b : 40; long a : 40, c : 33; } s; int main(void) { s.b = 3; s.a = -1; s.c = -2; assert((s.b > -5) == 0 && s.a > s.b && s.b + s.a == 2 && (long)s.a < (long)s.b && (unsigned long)s.b + s.a == 2 && s.a + s.c == -3 && s.a > s.c && -1 == s.a); return 0; }

//: wide_bit_field_update safe
struct s { unsigned long b : 40; long a : 40; } s; int main(void) { s.b = 0xffffffffffUL; s.b /= -1; assert(s.b == 1); s.b += 0xffffffffffUL; assert(s.b == 0); s.b--; assert(s.b == 0xffffffffffUL); s.b <<= 4; assert(s.b == 0xfffffffff0UL); s.a = -8; s.a >>= 1; s.a %= 3; assert(s.a == -1); return 0; }

//: wide_bit_field_choice safe
struct s { unsigned long b : 40; } s; int main(void) { int k = nint(); s.b = 5; assert((k ? s.b : 1) - 6 == (k ? 0xffffffffffUL : 0xfffffffffbUL)); assert(({ s.b; }) - 6 > 0 && (s.b, s.b) - 6 > 0); return 0; }

//: wide_bit_field_ilp32 safe --data-model ilp32
struct s { unsigned long long b : 40; long long a : 34; } s; int main(void) { assert(s.b - 1 == 0xffffffffffULL && s.b - 1ul > 0); s.a = 1; s.a <<= 33; assert(s.a < 0); return 0; }

//: wide_bit_field_sum_overflows overflow
struct s { long a : 33; } s; int main(void) { s.a = 0xffffffffL; long r = s.a + s.a; return r == 7; }

//: wide_bit_field_one_more_overflows overflow
struct s { long a : 33; } s; int main(void) { s.a = 0xffffffffL; long r = s.a + 1; return r == 7; }

//: wide_bit_field_negated overflow
struct s { long a : 40; } s; int main(void) { s.a = 0x7fffffffffL; s.a++; return -s.a > 5; }

//: wide_bit_field_cast safe
struct s { long a : 33; } s; int main(void) { s.a = 0xffffffffL; assert((long)s.a + s.a == 0x1fffffffeL && s.a + 1L == 0x100000000L && s.a * 1L * 2 == 0x1fffffffeL); return 0; }

//: wide_bit_field_wraps safe --wrap
struct s { long a : 33; } s; int main(void) { s.a = 0xffffffffL; long r = s.a + s.a; assert(r == -2); r = s.a * s.a; assert(r == 1); return 0; }

//: trust_row1 memory -
static int f(int n, int m, int a[n][m]) { return a[0][m]; } int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; return f(2, 3, a); }

//: trust_row2 safe
int main(void) { int n = 2, m = 3; int a[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i * m + j; assert(a[1][2] == 5); return 0; }

//: trust_row3 memory -
int main(void) { int n = 2, m = 3; int a[n][m]; for (int i = 0; i < 6; i++) a[0][i] = i; return a[1][0]; }

//: trust_row4 safe
int main(void) { int n = 2, m = 3; int a[n][m], *p = &a[0][0]; for (int i = 0; i < 6; i++) p[i] = i; assert(a[1][0] == 3); return 0; }

//: trust_dec1 memory -
struct s { int a[4]; int b; }; int main(void) { struct s s = { { 1, 2, 3, 4 }, 5 }; int *p = s.a; return p[4]; }

//: trust_dec2 safe
struct s { int a[4]; int b; }; int main(void) { struct s s = { { 1, 2, 3, 4 }, 5 }; char *p = (char *)s.a; assert(p[16] == 5); return 0; }

//: trust_dec4 safe
struct s { int n; int a[4]; }; int main(void) { struct s *q = malloc(sizeof *q + 4); if (!q) return 0; int *p = q->a; p[4] = 1; assert(p[4] == 1); free(q); return 0; }

//: trust_dec5 safe
struct s { int a[4]; int b; }; int main(void) { struct s s = { { 1, 2, 3, 4 }, 5 }; int t[6] = { 0 }; int *p = s.a; p = t; assert(p[4] == 0); return 0; }

//: trust_ov1 memory -
struct s { long a, b, c; }; int main(void) { long buf[8] = { 1, 2, 3, 4 }; void *v = buf; void *w = buf + 1; struct s *p = v, *q = w; *q = *p; return 0; }

//: trust_ov2 safe
struct s { long a, b, c; }; int main(void) { long buf[8] = { 1, 2, 3, 4 }; void *v = buf; void *w = buf + 3; struct s *p = v, *q = w; *q = *p; assert(buf[5] == 3); return 0; }

//: trust_ov3 memory -
struct s { long a, b, c; }; static void cp(void *x, void *y) { struct s *p = x; struct s *q = y; *p = *q; } int main(void) { long buf[8] = { 1, 2, 3, 4 }; cp(buf, buf + 2); return 0; }

//: trust_ov4 safe
struct s { long a, b, c; }; static void cp(void *x, void *y) { struct s *p = x; struct s *q = y; *p = *q; } int main(void) { long buf[8] = { 1, 2, 3, 4 }; cp(buf, buf + 4); struct s a = { 1, 2, 3 }, b; cp(&b, &a); cp(&b, &b); assert(b.b == 2); return 0; }

//: before_last_member memory -
struct s { int x; int a[3]; }; int main(void) { struct s v = { 0 }; return v.a[-1]; }

//: before_last_member_by_pointer memory -
struct stack { int top, data[4]; }; static int pop(struct stack *s) { return s->data[--s->top]; }
int main(void) { struct stack s = { 1, { 5 } }; return pop(&s) - pop(&s); }

//: before_flexible_member memory -
struct s { int n; int d[]; }; int main(void) { struct s *p = malloc(sizeof *p + 8); if (!p) return 0; p->n = 0; p->d[0] = p->d[1] = 1; int r = p->d[p->n - 1]; free(p); return r; }

//: within_last_member safe
struct s { int n; char d[1]; }; int main(void) { struct s *p = malloc(sizeof *p + 8); unsigned char i = nuint(); if (!p || i > 8) exit(0); p->d[i] = 1; assert(p->d[i] == 1); free(p); return 0; }

//: before_first_member_of_element memory -
struct s { int a[2]; }; int main(void) { struct s v[2] = { { { 1, 2 } } }, *p = v + 1; return v[1].a[-1]; }

//: out_of_member_by_a_sum memory -
struct s { int a[4], b; }; int main(void) { struct s v = { { 0 } }; int k = nint(); if (k < 0 || k > 3) return 0; return *(v.a + 1 + k); }

//: within_member_by_a_sum safe
struct s { int b, a[4]; }; int main(void) { struct s v = { 0 }; int k = nint(); if (k < -1 || k > 2) return 0; v.b = 3; assert(*(v.a + 1 + k) == 0); return 0; }

//: out_of_member_from_an_element memory -
struct s { int a[4], b; }; int main(void) { struct s v = { { 0 } }; int k = nint(); if (k < 0 || k > 3) return 0; return (&v.a[1])[k]; }

//: next_member_by_index memory -
struct s { int x, y; }; int main(void) { struct s v = { 0 }; return (&v.x)[1]; }

//: member_by_index safe
struct s { int x, y; }; int main(void) { struct s v = { 1, 2 }; assert((&v.x)[0] == 1 && *(&v.y + 0) == 2); return 0; }

//: out_of_member_as_constant memory -
struct s { int a[4], b; }; int main(void) { struct s v = { { 0 } }; const int *p = (const int *)v.a; return p[4]; }
