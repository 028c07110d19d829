// Vectors of GNU C, element by element.

//: vector_operators safe
typedef int v4 __attribute__((vector_size(16)));
static v4 add(v4 a, v4 b) { return a + b; }
int main(void) {
    v4 a = { 1, 2, 3, 4 }, b = { 5, 6, 7, 8 }, c = a * b - 1;
    assert(c[0] == 4 && c[3] == 31);
    c = b / a + b % a; assert(c[0] == 5 && c[1] == 3 && c[2] == 3 && c[3] == 2);
    c = -a; assert(c[3] == -4);
    c = ~a & 255; assert(c[0] == 254);
    c = 100 - (a << 2); assert(c[1] == 92);
    c = a > 2; assert(c[1] == 0 && c[2] == -1);
    c = (add(a, b) == b + a); assert(c[0] == -1 && c[3] == -1);
    assert((a ^ b)[2] == 4 && sizeof(v4) == 16 && _Alignof(v4) == 16 && sizeof a[0] == 4);
    return 0;
}

//: vector_changes safe
typedef int v4 __attribute__((vector_size(16)));
struct s { int n; v4 v; } s = { 3, { 1, 2, 3, 4 } };
static v4 rows[2] = { { 1, 2, 3, 4 }, { 5, 6 } }, whole;
static int calls; static v4 *row(int i) { calls++; return &rows[i]; }
int main(void) {
    int i = 1; struct s *p = &s; v4 old;
    *row(i) += rows[0]; assert(calls == 1 && rows[1][0] == 6 && rows[1][3] == 4);
    p->v <<= 1; old = p->v++; assert(old[3] == 8 && s.v[3] == 9 && s.n == 3);
    whole = rows[i]; whole[i] = 7; assert(whole[1] == 7 && rows[1][1] == 8);
    assert(((int *)&whole)[1] == 7);
    return 0;
}

//: vector_of_narrow_elements_wraps safe
typedef unsigned char u16 __attribute__((vector_size(16))); typedef signed char s16 __attribute__((vector_size(16)));
typedef unsigned short us8 __attribute__((vector_size(16)));
int main(void) { u16 a = { 250, 1 }; s16 b = { 127 }; us8 c = { 65535, 300 }; a += 10; b += 1; c *= c; assert(a[0] == 4 && a[1] == 11 && b[0] == -128 && c[0] == 1 && c[1] == 24464); return 0; }

//: vector_of_floats safe
typedef float f4 __attribute__((vector_size(16))); typedef int v4 __attribute__((vector_size(16)));
int main(void) { f4 a = { 1.5f, 2, -3, 0 }, b = a * 2.0f + 1.0f; v4 less = b < (f4){ 5, 4, 0, 1 }, bits = (v4)a; assert(b[0] == 4.0f && b[2] == -5.0f && less[0] == -1 && less[1] == 0 && less[3] == 0 && bits[0] == 0x3fc00000); return 0; }

//: vector_casts_keep_bits safe
typedef int v4 __attribute__((vector_size(16))); typedef long long l2 __attribute__((vector_size(16))); typedef int v2 __attribute__((vector_size(8))); typedef unsigned u4 __attribute__((vector_size(16)));
int main(void) { v4 a = { 1, 2, 3, -4 }; l2 l = (l2)a; v4 back = (v4)l; v2 two = (v2)0x500000003ll; assert(l[0] == 0x200000001ll && back[3] == -4 && two[1] == 5 && (long long)two == 0x500000003ll && ((u4)a >> 31)[3] == 1); return 0; }

//: vector_shuffles safe
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
int main(void) {
    v4 a = { 1, 2, 3, 4 }, b = { 5, 6, 7, 8 }, mask = { 3, 6, 1, -1 }, c = __builtin_shuffle(a, mask), d = __builtin_shuffle(a, b, mask), e = __builtin_shufflevector(a, b, 7, 0, 5, 2);
    f4 f = __builtin_convertvector(a, f4);
    assert(c[0] == 4 && c[1] == 3 && c[3] == 4 && d[0] == 4 && d[1] == 7 && d[3] == 8 && e[0] == 8 && e[3] == 3 && f[3] == 4.0f);
    return 0;
}

//: vector_lane_overflows overflow 2147483647
typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 a = { 1, 2, nint(), 4 }; a = a + 1; return a[2]; }

//: vector_lane_is_divided_by_zero division 0
typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 a = { 1, 2, 3, 4 }, b = { 1, nint(), 1, 1 }; a = a / b; return a[1]; }

//: vector_lane_is_shifted_too_far shift 8
typedef unsigned char u8 __attribute__((vector_size(8))); int main(void) { u8 a = { 1 }; int n = nint(); if (n < 0 || n > 8) return 0; a = a << (unsigned char)n; return a[0]; }

//: vector_index_leaves memory 4
typedef int v4 __attribute__((vector_size(16))); struct { v4 a; int after; } s; int main(void) { int i = nint(); if (i < 0 || i > 4) return 0; return s.a[i]; }

//: vector_operands_in_any_order error
typedef int v4 __attribute__((vector_size(16))); static int n; static v4 next(void) { v4 v = { 0 }; v[0] = ++n; return v; } int main(void) { v4 d = next() - next(); assert(d[0] == -1); return 0; }

//: vector_element_is_wrong error 5
typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 a = { 1, 2, 3, nint() }; v4 b = a * 2; assert(b[3] != 10); return 0; }

//: vector_instructions_are_refused refused
typedef long long l2 __attribute__((vector_size(16))); int main(void) { l2 a = { 1, 2 }; a = __builtin_ia32_pclmulqdq128(a, a, 0); return a[0]; }

//: complex_objects_change_anywhere safe
struct z { double _Complex z; } s[2]; static int calls; static struct z *at(int i) { calls++; return &s[i]; }
int main(void) { double _Complex old; at(1)->z += 2.0 + 1.0i; at(1)->z *= 2; old = s[1].z++; assert(calls == 2 && __real__ old == 4 && __real__ s[1].z == 5 && __imag__ s[1].z == 2); return 0; }

//: memory_of_any_contents error 5
extern void __VERIFIER_nondet_memory(void *, size_t); int main(void) { int x[2] = { 0, 1 }; __VERIFIER_nondet_memory(x, 4); assert(x[1] == 1); assert(x[0] != 5); return 0; }

//: numbers_of_klee safe
extern unsigned long klee_choose(unsigned long); extern int klee_range(int, int, const char *); int main(void) { int x = klee_range(-3, 10, "x"); unsigned long n = klee_choose(4); assert(-3 <= x && x < 10 && n < 4); return 0; }
