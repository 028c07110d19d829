// Conversions, promotions, shifts, overflow, division.

//: uchar_promote safe
int main(void) { unsigned char a = 200, b = 100; assert(a + b == 300); assert((unsigned char)(a + b) == 44); assert(a - 201 < 0); assert(~a < 0); assert((a << 24) != 0); return 0; }

//: ushort_mul overflow 1
int main(void) { unsigned short a = 65535; int r = a * a; return r; }

//: int_uint_cmp safe
int main(void) { int a = -1; unsigned b = 1; assert(a > b); assert((long)a < (long)b); assert(a < (long)b); return 0; }

//: ilp32_long_cmp safe --data-model ilp32
int main(void) { long a = -1; unsigned b = 1; assert(a > b); assert((long long)a < b); return 0; }

//: schar_shift safe
int main(void) { signed char c = -1; assert((c >> 1) == -1); assert(((unsigned char)c >> 1) == 127); assert((unsigned)c == UINT_MAX); return 0; }

//: literal_types safe
int main(void) { assert(sizeof(2147483647) == 4 && sizeof(2147483648) == 8 && sizeof(0x80000000) == 4 && sizeof(0xffffffffff) == 8); assert(0x80000000 > 0 && -2147483648 < 0 && -0x80000000 > 0); return 0; }

//: ilp32_literals safe --data-model ilp32
int main(void) { assert(sizeof(2147483648) == 8 && sizeof(4294967295u) == 4 && sizeof(1L) == 4 && sizeof(0xffffffffff) == 8); assert(2147483648 > 0); return 0; }

//: div_trunc safe
int main(void) { assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1); assert(7u / -2 == 0); assert(-7 / 2u == 2147483644u); return 0; }

//: mod_sign safe
int main(void) { int x = nint(); int m = x % 5; assert(m > -5 && m < 5); if (x < 0) assert(m <= 0); return 0; }

//: shr_neg safe
int main(void) { int x = nint(); if (x < 0) assert((x >> 1) < 0 && (x >> 31) == -1); else assert((x >> 1) >= 0); return 0; }

//: shl_unsigned safe
int main(void) { unsigned u = nuint(); unsigned s = u << 31; assert(s == 0 || s == 0x80000000u); assert((u << 1) % 2 == 0); return 0; }

//: shl_wide shift 32
int main(void) { unsigned n = nuint(); assume(n <= 32); unsigned r = 1u << n; return r != 0; }

//: shl_promoted shift 1
int main(void) { unsigned char c = 1; int n = nint() == 1 ? 32 : 31; unsigned r = (unsigned)c << n; return r != 0; }

//: shift_count_type safe
int main(void) { unsigned u = 1; long n = 3; assert(sizeof(u << n) == 4); unsigned long w = 1; assert(sizeof(w << 3) == 8 && (w << 40) >> 40 == 1); char c = 1; assert(sizeof(c << 1L) == 4); return 0; }

//: shift_neg_count shift -1
int main(void) { int n = nint(); if (n == -1) { int x = 1 << n; return x; } return 0; }

//: shift_compound shift 40
int main(void) { unsigned char c = 1; int n = nint(); assume(n >= 0 && n <= 40); c <<= n; return c; }

//: shl_into_sign safe
int main(void) { int x = 1 << 30; assert(x > 0); long y = 1L << 62; assert(y > 0); return 0; }

//: neg_min overflow -2147483648
int main(void) { int x = nint(); int y = -x; return y; }

//: abs_min overflow -2147483648
int main(void) { int x = nint(); int y = abs(x); return y; }

//: labs_ok safe
int main(void) { int x = nint(); long y = labs((long)x); assert(y >= 0); return 0; }

//: min_div overflow -2147483648,-1
int main(void) { int x = nint(), y = nint(); if (!y) return 0; return x / y; }

//: min_mod overflow -2147483648,-1
int main(void) { int x = nint(), y = nint(); if (!y) return 0; return x % y; }

//: div_zero division 0
int main(void) { int x = nint(); return 10 / x; }

//: mod_zero division 0
int main(void) { unsigned x = nuint(); return 10 % x; }

//: div_zero_discard division 0
int main(void) { int x = nint(); 10 / x; return 0; }

//: div_zero_sizeof safe
int main(void) { int x = 0; int s = sizeof(10 / x); assert(s == 4); return 0; }

//: div_zero_shortcut safe
int main(void) { int x = nint(); int r = x != 0 && 10 / x > 2; assert(r >= 0); return 0; }

//: fdiv_zero safe
int main(void) { double d = 0.0; double r = 1.0 / d; assert(r > 1e308); return 0; }

//: inc_char_wrap safe
int main(void) { signed char c = 127; c++; assert(c == -128); unsigned char u = 0; u--; assert(u == 255); short s = 32767; s += 1; assert(s == -32768); return 0; }

//: inc_int overflow 2147483647
int main(void) { int x = nint(); x++; return 0; }

//: compound_narrow safe
int main(void) { short s = 30000; s += s; assert(s == -5536); s = 300; s *= 300; assert(s == 24464); return 0; }

//: discarded_cast overflow -
int main(void) { int x = nint(); (void)(x + 1); return 0; }

//: discarded_comma overflow -
int main(void) { int x = nint(); int y = (x + 1, 3); return y; }

//: discarded_cond overflow -
int main(void) { int x = nint(); x > 0 ? x + 1 : 0; return 0; }

//: discarded_index overflow -
static int a[3]; int main(void) { int x = nint(); if (x > 0) a[x + 1 > 2]; return 0; }

//: discarded_arg overflow 2147483647
static void f(int x) {} int main(void) { int x = nint(); f(x + 1); return 0; }

//: discarded_field overflow -
struct s { int a, b; }; static struct s f(int x) { struct s s = {x + 1, 0}; return s; } int main(void) { f(nint()).b; return 0; }

//: discarded_not overflow -
int main(void) { int x = nint(); !(x + 1); return 0; }

//: discarded_if overflow 2147483647
int main(void) { int x = nint(); if (x + 1) {} return 0; }

//: discarded_while overflow -
int main(void) { int x = nint(); while (x + 1 > 5 && x < 0) {} return 0; }

//: discarded_local overflow 2147483647
int main(void) { int x = nint(); int unused = x + 1; return 0; }

//: discarded_static_write overflow 2147483647
static int dead; int main(void) { int x = nint(); dead = x * 2; return 0; }

//: discarded_array_write overflow 2147483647
int main(void) { int x = nint(); int t[2]; t[1] = x + 1; return 0; }

//: discarded_struct_init overflow 2147483647
int main(void) { int x = nint(); struct { int a; } s = {x + 1}; return 0; }

//: discarded_return overflow 2147483647
static int f(int x) { return x + 1; } int main(void) { f(nint()); return 0; }

//: discarded_stmt_expr overflow -
int main(void) { int x = nint(); ({ x + 1; }); return 0; }

//: discarded_sizeof_vla overflow 2147483647
int main(void) { int x = nint(); if (x < 0x7ffffff0) return 0; int s = sizeof(char[x + 1]) != 0; return 0; }

//: discarded_switch_val overflow 2147483647
int main(void) { int x = nint(); switch (x + 1) {} return 0; }

//: discarded_for_step overflow -
int main(void) { int x = nint(); for (int i = 0; i < 1; i++, x + 1) {} return 0; }

//: discarded_and overflow -
int main(void) { int x = nint(); x > 0 && x + 1; return 0; }

//: discarded_div_in_cast division 0
int main(void) { int x = nint(); (char)(5 / x); return 0; }

//: mul_zero overflow -
int main(void) { int x = nint(); int y = (x + 1) * 0; return y; }

//: and_zero overflow -
int main(void) { int x = nint(); int y = (x + 1) & 0; return y; }

//: sub_self overflow -
int main(void) { int x = nint(); int y = (x + 1) - (x + 1); return y; }

//: fold_away overflow -
int main(void) { int x = nint(); assert(x + 1 > x); return 0; }

//: cond_const_fold safe
int main(void) { int x = nint(); int y = 0 ? x + 1 : 2; int z = 1 || 1 / 0; assert(y == 2 && z); return 0; }

//: long_mul overflow
int main(void) { long x = nint(), y = nint(); long z = x * y * 4; return z > 0; }

//: ull_mul safe
int main(void) { unsigned a = nuint(); unsigned long long p = (unsigned long long)a * a; assert(p <= 0xfffffffe00000001ull); return 0; }

//: uint_underflow safe
int main(void) { unsigned a = 0; a--; assert(a == UINT_MAX); size_t n = 0; assert(n - 1 > 100); return 0; }

//: bool_arith safe
int main(void) { _Bool b = 1; b++; assert(b == 1); b--; assert(b == 0); b--; assert(b == 1); b = 256; assert(b); b = 0.1; assert(b); b += 255; assert(b); assert((_Bool)0x100); return 0; }

//: enum_unsigned safe
enum e { A, B }; int main(void) { enum e x = A; assert(x - 1 > 0); assert((int)x - 1 < 0); enum { N = -1, P } y = P; assert(y - 1 < 0); return 0; }

//: enum_big safe
enum e { A = 0x80000000u, B }; int main(void) { assert(sizeof(enum e) == 4 && B == 0x80000001u && A > 0); enum f { C = 0x100000000, D }; assert(sizeof(enum f) == 8 && sizeof(D) == 8); return 0; }

//: enum_const_int safe
enum e { A, B }; int main(void) { assert(A - 1 < 0); assert(_Generic(A, int : 1, unsigned : 2) == 1); enum e x = A; assert(_Generic(x, int : 1, unsigned : 2) == 2); return 0; }

//: enum_packed safe
enum __attribute__((packed)) e { A, B = 200 }; int main(void) { assert(sizeof(enum e) == 1); enum e x = B; x += 100; assert(x == 44); return 0; }

//: char_literal safe
int main(void) { assert('\xff' == -1 && '\200' < 0 && 'ab' == 24930 && sizeof 'a' == 4 && L'\xff' == 255 && u'\xffff' == 65535); return 0; }

//: unsigned_char_flag safe
int main(void) { char c = -1; assert(c < 0 && c == '\xff' && c != 0xff && (c & 0xff) == 0xff); return 0; }

//: cond_type safe
int main(void) { int c = 1; assert((c ? -1 : 1u) > 0); assert(sizeof(c ? (short)1 : (char)1) == 4); assert((c ? (signed char)-1 : (unsigned char)1) == -1); long l = c ? -1 : 1u; assert(l == 4294967295L); return 0; }

//: assign_chain_trunc safe
int main(void) { int i; unsigned char c; i = c = 0x1ff; assert(i == 255); long l; int j; l = j = 0x1ffffffffL; assert(l == -1); return 0; }

//: switch_promote safe
int main(void) { unsigned char c = 255; int r = 0; switch (c) { case 255: r = 1; break; case -1: r = 2; } assert(r == 1); switch ((signed char)c) { case 255: r = 3; break; case -1: r = 4; } assert(r == 4); switch (c + 0LL) { case 0x1000000ffLL: r = 5; break; case 255: r = 6; } assert(r == 6); return 0; }

//: switch_long safe
int main(void) { long l = 0x100000001L; int r = 0; switch (l) { case 1: r = 1; break; default: r = 2; } assert(r == 2); unsigned u = UINT_MAX; switch (u) { case -1: r = 3; break; } assert(r == 3); return 0; }

//: int128 safe
int main(void) { __int128 x = (__int128)1 << 100; assert((long)(x >> 90) == 1024); unsigned __int128 y = -1; assert(y > x && (unsigned long)(y >> 64) == ULONG_MAX); return 0; }

//: conv_float overflow -
int main(void) { assert((int)3.99 == 3 && (int)-3.99 == -3 && (unsigned char)300.0f == 44 || 1); assert((float)16777217 == 16777216.0f); assert((double)(float)0.1 != 0.1); return 0; }

//: conv_float_range overflow -
int main(void) { double d = 1e10; int x = d; return x; }

//: conv_nan_int overflow -
int main(void) { double z = 0.0; double d = z / z; int x = d; return x; }

//: uint_float safe
int main(void) { unsigned u = 4294967295u; float f = u; assert(f == 4294967296.0f); double d = u; assert(d == 4294967295.0); return 0; }

//: neg_float_unsigned overflow -
int main(void) { double d = -1.0; unsigned u = d; return u != 0; }

//: neg_frac_unsigned safe
int main(void) { double d = -0.5; unsigned u = d; assert(u == 0); return 0; }

//: conversion_check conversion 300 --check conversion
int main(void) { int x = nint(); unsigned char c = x; return c; }

//: conversion_explicit safe --check conversion
int main(void) { int x = nint(); unsigned char c = (unsigned char)x; return c > 300; }

//: conversion_sign conversion -1 --check conversion
int main(void) { int x = nint(); unsigned u = x; return u > 5; }

//: conversion_cmp conversion -1 --check conversion
int main(void) { int x = nint(); unsigned u = 3; return x < u; }

//: conversion_ret conversion 300 --check conversion
static signed char f(int x) { return x; } int main(void) { return f(nint()); }

//: conversion_const safe --check conversion
int main(void) { unsigned char c = 255; signed char d = -128; unsigned short e = 'a'; return c + d + e > 1000; }

//: wrap_mul safe --wrap
int main(void) { int x = 65536; x *= 65536; assert(x == 0); x = INT_MAX; x += 2; assert(x == INT_MIN + 1); x = INT_MIN; assert(-x == x && x - 1 == INT_MAX); return 0; }

//: wrap_cmp error 2147483647 --wrap
int main(void) { int x = nint(); assert(x + 1 > x); return 0; }

//: ideal safe --ideal-integers
int main(void) { int x = nint(); assert(x + 1 > x); unsigned u = nuint(); assert(u + 1 > u); return 0; }

//: popcount safe
int main(void) { unsigned u = nuint(); assert(__builtin_popcount(u) >= 0 && __builtin_popcount(u) <= 32); assert(__builtin_parity(7) == 1 && __builtin_ffs(8) == 4 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3); return 0; }

//: clz_zero memory 0
int main(void) { unsigned u = nuint(); int r = __builtin_clz(u); assert(r <= 31); return 0; }

//: add_overflow safe
int main(void) { int r; assert(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN); unsigned char c; assert(__builtin_add_overflow(200, 100, &c) && c == 44); assert(!__builtin_mul_overflow(5, 6, &r) && r == 30); unsigned u; assert(__builtin_sub_overflow(1u, 2u, &u)); assert(!__builtin_sub_overflow(1u, 2u, &r) && r == -1); return 0; }

//: rotate safe
static unsigned rol(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); } int main(void) { unsigned x = nuint(); assert(rol(x, 0) == x); assert(rol(0x80000001u, 1) == 3); return 0; }

//: int128_sum overflow 777
int main(void) { __int128 m = (__int128)1 << 126; if (nint() == 777) m = m + m; assert(m > 0); return 0; }

//: int128_difference overflow 777
int main(void) { __int128 m = (__int128)1 << 126; m = -m - m; if (nint() == 777) m = m - 1; assert(m < 0); return 0; }

//: int128_product overflow 777
int main(void) { __int128 m = (__int128)1 << 64; if (nint() == 777) m = m * m; assert(m > 0); return 0; }

//: int128_products safe
int main(void) { __int128 a = (__int128)INT64_MIN * 2, b = INT64_MIN + 1; assert(a * b > 0); b = -1; assert(a * b == -a); b = 0; assert(b * a == 0 && a * b == 0); return 0; }

//: int128_negation overflow 777
int main(void) { __int128 m = (__int128)1 << 126; m = -m - m; if (nint() == 777) m = -m; assert(m < 0); return 0; }

//: float_to_int128 overflow 777 --check error,overflow
int main(void) { double d = 1e39; __int128 m = 0; if (nint() == 777) m = d; assert(m == 0); return 0; }

//: float_to_int128_fits safe
int main(void) { double d = -0x1p127; __int128 m = d; assert(m < 0 && m + 1 > m); unsigned __int128 u = 0x1p127; assert(u >> 127 == 1); return 0; }

//: wrap_min_div overflow -2147483648 --wrap
int main(void) { int x = nint(), y = -1; x = x / y; assert(x != INT_MIN); return 0; }

//: wrap_min_mod overflow -2147483648 --wrap
int main(void) { int x = nint(), y = -1; x = x % y; assert(x == 0); return 0; }

//: wrap_min_div_unchecked assume --wrap --check error
int main(void) { int x = nint(), y = nint(); if (y == 0) return 0; int z = x / y; assert(x != INT_MIN || y != -1); return z == 7; }

//: static_float_once safe
static float f = 9007199791611905L; static float g[] = {9007199791611905L, 16777217}; static double d = 9007199254740993L; static struct { float h; } s = {.h = -9007199791611905L};
int main(void) { assert(f == 9007200328482816.0f && g[0] == f && g[1] == 16777216.0f && d == 9007199254740992.0 && s.h == -f); return 0; }

//: static_wide_float safe
static double d = (double)((unsigned __int128)-1); static float f = (float)((unsigned __int128)1 << 127); static unsigned __int128 u = 0x1p127; static __int128 m = -0x1p127;
int main(void) { assert(d == 0x1p128 && f == 0x1p127f && u >> 127 == 1 && m < 0 && (m + 1) < 0); return 0; }

//: wide_float_runtime safe
int main(void) { unsigned __int128 u = -1; volatile int z = 0; double d = u + z; assert(d == 0x1p128); u = (unsigned __int128)1 << 127; float f = u; assert(f == 0x1p127f); __int128 m = -1; double e = m; assert(e == -1.0); return 0; }

//: bit1_bool_value safe
struct s { signed m : 1; unsigned u : 1; int z; }; int main(void) { int g = nint(); struct s v = {g == 5, g == 5}; int r = (v.m = (g == 5)); assert(r == 0 || r == -1); r = (v.m = g == 5) + 0; assert(r != 1); assert((v.m = (g != 5)) != 1); v.u = g; assert(v.u == (g & 1)); v.u = g == 5; assert(v.u == (g == 5)); v.u += 1; assert(v.u == (g != 5)); v.m = !v.u; assert(v.m <= 0); return 0; }

//: bit1_bool_error error 1440528649
struct s { signed m : 1; int z; }; int main(void) { struct s v = {(nuint() * 2654435761u == 12345u)}; int r = v.m; assert(r != -1); return 0; }

//: bit1_unsigned error 1440528649
struct s { unsigned m : 1; int z; }; int main(void) { unsigned g = (nuint() * 2654435761u == 12345u) ? 2 : 1; struct s v; v.m = g; assert(v.m); return 0; }

//: bit1_member_ptr error 1440528649
struct s { signed m : 1; int z; }; static void set(struct s *s, int c) { s->m = c == 3; } int main(void) { struct s v = {0, 4}; int c = (nuint() * 2654435761u == 12345u) ? 3 : 2; set(&v, c); assert(v.m >= 0); return 0; }

//: bool_trap_value assume -
int main(void) { unsigned char c = nuint(); _Bool b; memcpy(&b, &c, 1); int r = b; assert(r == 0 || r == 1); return 0; }

//: bool_zeroed safe
struct s { int k; _Bool b; }; int main(void) { struct s *p = malloc(sizeof *p); if (!p) return 0; memset(p, 0, sizeof *p); assert(!p->b); p->b = nint(); int r = p->b; assert(r == 0 || r == 1); free(p); return 0; }

//: bool_copy safe
struct s { int k; _Bool b; }; int main(void) { struct s s = {1, nint()}, t; memcpy(&t, &s, sizeof t); int r = t.b; assert(r == 0 || r == 1); return 0; }

//: enum_wide_after safe
enum { A = -1, B = 1 ? -1 : 0u, C = _Generic(B, unsigned: 1, default: 2) }; int main(void) { assert(B == 4294967295 && B != -1 && sizeof B == 8 && sizeof A == 4 && C == 1); return 0; }

//: enum_wide_unsigned safe
enum { A, B = 0x80000000 }; int main(void) { assert(B > 0 && -1 < A && sizeof B == 4 && -B == B); return 0; }
