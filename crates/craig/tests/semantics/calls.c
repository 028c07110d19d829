// What calls pass: through pointers of other types, as additional arguments, to formats.

//: trust_dc1 memory -
static int f(double d) { return (int)d; } int main(void) { return ((int (*)(int))f)(1); }

//: trust_dc2 memory -
static long f(void) { return 1; } int main(void) { return ((int (*)(void))f)(); }

//: trust_dc3 memory -
struct a { int x; int y; long z; }; static struct a f(void) { struct a s = { 1, 2, 3 }; return s; } int main(void) { int (*p)(void) = (int (*)(void))f; return p(); }

//: trust_dc4 memory -
struct a { int x; }; struct b { int x; int y; }; static struct a f(void) { struct a s = { 1 }; return s; } int main(void) { struct b (*p)(void) = (struct b (*)(void))f; return p().x; }

//: trust_dc5 memory -
struct a { int x; }; struct b { float x; }; static int f(struct a s) { return s.x; } int main(void) { int (*p)(struct b) = (int (*)(struct b))f; struct b b = { 1 }; return p(b); }

//: trust_dc6 memory -
static void f(void) { } struct b { int x; int y; }; int main(void) { struct b (*p)(void) = (struct b (*)(void))f; return p().x; }

//: trust_dc7 memory -
static int f(int a) { return a; } int main(void) { int (*p)() = f; return p(1.5); }

//: trust_dc8 safe
static int f(int a) { return a; } int main(void) { int (*p)() = f; assert(p(1) == 1); char c = 2; assert(p(c) == 2); return 0; }

//: trust_dc9 memory -
static int f(long a) { return (int)a; } int main(void) { int (*p)() = (int (*)())f; return p(1); }

//: trust_dc10 safe
static int f(a) short a; { return a; } int main(void) { int (*p)() = f; assert(p(70000) == 4464); return 0; }

//: trust_ct1 safe
int main(void) { int x = ((int (*)(int))(void (*)(void))abs)(-3); assert(x == 3); return 0; }

//: trust_fptr_noproto memory -
static int f(int n, ...) { return n; } int main(void) { int (*p)() = (int (*)())f; return p(1, 5); }

//: trust_va_sign_lists assume
static unsigned f(int n, ...) { va_list l; va_start(l, n); unsigned u = va_arg(l, unsigned); va_end(l); return u; }
int main(void) { assert(f(1, nint() | 1) != 0); return 0; }

//: trust_va_sign_pure safe
static int f(int n, ...) { va_list l; va_start(l, n); int u = va_arg(l, int); va_end(l); return u; }
int main(void) { assert((f(1, nint() | 1) & 1) != 0); return 0; }

//: trust_va_l_ptr memory -
static void g(va_list *p, int n, ...) { va_list l; va_start(l, n); va_copy(*p, l); va_end(l); } int main(void) { va_list l; g(&l, 1, 2); return va_arg(l, int); }

//: trust_va_l_ptr_ok safe
static int h(va_list *p) { return va_arg(*p, int); } static int g(int n, ...) { va_list l, c; va_start(l, n); va_copy(c, l); int r = h(&l); r = r * 10 + h(&l); r = r * 10 + va_arg(c, int); va_end(l); va_end(c); return r; } int main(void) { assert(g(1, 2, 3) == 232); return 0; }

//: trust_ft1 memory -
int main(void) { char b[20]; sprintf(b, "%ld", 3); return 0; }

//: trust_ft2 memory -
int main(void) { char b[20]; sprintf(b, "%d", 3L); return 0; }

//: trust_ft3 memory -
int main(void) { char b[20]; sprintf(b, "%s", 3); return 0; }

//: trust_ft4 memory -
int main(void) { printf("%f", 3); return 0; }

//: trust_ft5 memory -
int main(void) { printf("%d", 3.0); return 0; }

//: trust_ft6 safe
int main(void) { printf("%d %s %c %p %x %u\n", 3, "a", 'c', (void *)0, -1, 4); assert(1); return 0; }

//: trust_ft7 safe
int main(void) { printf("%ld %lu %zu %lld %llu %hd %hhd %Lf %f %g\n", 3L, 4UL, sizeof 1, 3LL, 3ULL, (short)3, (char)1, 1.0L, 1.0f, 2.0); assert(1); return 0; }

//: trust_ft8 safe
int main(void) { printf("%d\n", sizeof 1); assert(1); return 0; }

//: trust_ft9 memory -
int main(void) { printf("%s\n", 12345); return 0; }

//: trust_ft10 memory -
int main(void) { int n = printf("%d\n", 12345L); return n; }

//: trust_ft11 safe
int main(void) { char b[30]; _Bool t = 1; short s = -3; enum { A, B } e = B; sprintf(b, "%d %d %d %*d", t, s, e, 3, 'a'); assert(!strcmp(b, "1 -3 1  97")); return 0; }

//: trust_ft12 safe
int main(void) { char b[30]; unsigned char u[3] = "ab"; sprintf(b, "%s %c", (char *)u, u[0]); assert(!strcmp(b, "ab a")); sprintf(b, "%s", u); return 0; }

//: no_prototype_double memory -
static int f(int x) { return x; } int main(void) { return ((int (*)())f)(2.0); }

//: no_prototype_fits safe
static int f(int x, double d) { return x + d; } int main(void) { assert(((int (*)())f)(2, 1.0f) == 3); return 0; }

//: no_prototype_ellipsis memory -
static int s(int n, ...) { return n; } int main(void) { return ((int (*)())s)(1); }

//: no_prototype_char memory -
static int f(char x) { return x; } int main(void) { return ((int (*)())f)(2); }

//: no_prototype_float memory -
static int f(float x) { return x; } int main(void) { return ((int (*)())f)(2.0f); }

//: ellipsis_not_seen memory -
static int s(int n, ...) { return n; } int main(void) { int (*f)(int) = (int (*)(int))s; return f(1); }

//: ellipsis_not_there memory -
static int s(int n) { return n; } int main(void) { int (*g)(int, ...) = (int (*)(int, ...))s; return g(1); }

//: const_written_unasked assume --check error
int main(void) { const int c = 1; *(int *)&c = 2; assert(0); return 0; }
