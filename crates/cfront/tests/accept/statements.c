// Statements and GNU extensions. // warns
int printf(const char *, ...); void *malloc(unsigned long); extern int x, y, arr[10]; void done(void) __attribute__((noreturn));
int duff(int n) { switch (n % 4) { case 0: do { n--; case 3: n--; case 2: n--; case 1: n--; } while (n > 0); } return n; }
int ranges(int n) { switch (n) { case 0 ... 9: return 1; case -5 ... -1: return 2; case 'a': case 'b': default: ; } switch (n) case 1: n++; return n; }
unsigned char wrap(unsigned char c) { switch (c) { case 255: return 1; case 256 ... 300: return 2; } return 0; }
int loops(void) { int s = 0; for (int i = 0, j = 10; i < j; i++, j--) { if (i == 3) continue; while (1) { break; } do s++; while (0); } for (;;) return s; }
int gotos(int n) { again: if (n-- > 0) goto again; { __label__ local; if (n) goto local; local: ; } end: __attribute__((unused)); return 0; }
int expressions(int a) { int b = ({ int t = a; t * 2; }), c = a ?: 3, d = ({ if (a) b = 1; b; }); ({ ; }); (void)a, b++; return b + c + d + (a, b); }
int typeofs(int a) { typeof(a) b = a; __typeof__(&b) c = &b; __auto_type d = *c + 1ul; const typeof(int *) e = c; typeof(int[3]) f = { 1 }; return *e + d + f[0]; }
int strings(void) { const char *p = __func__, q[] = "a" "b"; return p[0] + sizeof q + sizeof __FUNCTION__ + "xyz"[1] + 2["abc"]; }
int pointers(int *p, char *q) { void *v = p; v = v + 1; v++; p += 2; p -= 1; p = &p[3]; p = 3 + p; long d = p - (int *)v; return d + !p + (p && q) + (p == 0) + (0 != q) + (q < q + 1); }
int calls(int (*f)(int), int g()) { return f(1) + (*f)(2) + (***f)(3) + g(1, 2.0f, "x") + printf("%d", (short)1) + undeclared(1); }
int vlas(int n) { int a[n], b[n + 1][3]; a[0] = sizeof a; b[1][2] = sizeof b; int (*p)[3] = &b[1]; return a[n - 1] + (*p)[2] + sizeof(a[0]); }
struct pt { int x, y; }; struct pt make(int x) { return (struct pt){ .x = x }; } int temp(void) { struct pt a = make(1), b = a; a = b; return make(2).y + (a = b).x + (1 ? a : b).x; }
union num { int i; float f; } to_union(int i) { return (union num)i; } struct empty {}; struct empty none(struct empty e) { return e; }
int varargs(int n, ...) { __builtin_va_list ap, aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap); int r = __builtin_va_arg(ap, int) + (int)__builtin_va_arg(aq, double); __builtin_va_end(ap); return r; }
int builtins(unsigned u, void *p) { if (__builtin_expect(!!u, 1)) __builtin_memcpy(p, &u, sizeof u); return __builtin_clz(u) + __builtin_popcountll(u) + __builtin_constant_p(3) + __builtin_bswap32(u) + __builtin_strlen("abc") + (__builtin_object_size(p, 0) > 0) + __builtin_add_overflow(u, 1, &u) + __sync_fetch_and_add(&u, 2) + (__builtin_inff() > 1.0); }
int asms(int a) { int b; __asm__ volatile ("mov %1, %0" : "=r" (b) : "r" (a) : "memory", "cc"); asm("" ::: "memory"); asm goto ("" : : : : out); out: return b; }
__extension__ static __inline__ __attribute__((always_inline)) int inl(const int *__restrict p) { return *p; } int (*table[])(int) = { ranges, &duff }; int use_inl(void) { return inl(arr) + table[0](1); }
main(argc, argv) char **argv; { static n; register r = argc; extern int x; auto int z = 1; x = y; n = r, z; if (argc) done(); return argv[0] != 0; }
int compound(char c, float f, int *p, _Bool b) { c += 1000; c <<= 2; f *= 2; f -= c; *p++ ^= 3; p[--*p] |= c--; b++; b |= 2; b = !b; return c % 3 + (int)f; }
long long widths(long long a) { int i = a >> 33; a = (long long)i << 33 | 0xffffffff; return -a + ~a + (a > 2147483648) + (char)a; }
enum fwd; struct outer { struct inner { int a; } i; enum color { RED, GREEN } c; }; enum color col = GREEN; struct inner inn; int size(void) { return sizeof(struct outer) + RED; }
_Noreturn void stop(void); _Thread_local int tls; static _Alignas(16) char buffer[32]; _Atomic int at; _Atomic(long) at2; int generic(float f) { return _Generic(f, int: 1, float: 2) + _Generic(&f, default: 3); }
int attribute(int a __attribute__((unused)), ...) __asm__("other_name") __attribute__((sentinel)); int fall(int a) { switch (a) { case 1: a++; __attribute__((fallthrough)); case 2: ; } return a; }
int inner_decl(void) { extern int arr[]; int puts(const char *); struct local { int q; } l = { 1 }; enum { LOCAL = 5 }; return arr[0] + l.q + LOCAL + puts(""); }
static int fwd_static(int); int use_static(void) { return fwd_static(1); } static int fwd_static(int a) { return a; } int ptr_cmp(const char *a, char *const b) { return a == b || a > (const char *)0; }
float floats(float f, double d, long double l) { f = f + d; d = l * f; l = 1; f++; return f < d ? f : -d + (int)l; } int hexs(void) { return 0xfful + 0b101 + 017 + 1e3 + .5 + 0x1p3; }
extern __inline __attribute__((gnu_inline)) int packs(const char *f, ...) { return printf(f, __builtin_va_arg_pack()); } int atomics(int *p, long *q) { __atomic_store_n(p, 1, 5); __sync_lock_release(q); return __atomic_load_n(p, 0) + __atomic_fetch_add(q, 2, 0) + __atomic_exchange_n(p, 3, 5) + __sync_bool_compare_and_swap(p, 1, 2); }
