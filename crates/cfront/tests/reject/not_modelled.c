int setjmp(long *); void use(void *); long buffer[8]; int i;
void f(int n) {
  setjmp(buffer); // error: `setjmp` is not modelled
  int filled[n] = {1}; // error: cannot be initialised
  int guarded __attribute__((cleanup(use))); // error: `cleanup` function
  __builtin_apply_args(); // error: `__builtin_apply_args` is not modelled
  (void)({ inside: 1; });
  goto inside; // error: into a statement expression
}
typedef int vector __attribute__((vector_size(16))); vector v1, v2; _Complex double c;
void add(void) {
  v1 = v1 + v2; // error: vectors are not modelled
  c = 2 / c; // error: division by complex numbers
}
void g(int n) {
  auto int later(void); // error: a nested function that is declared before it is defined
  int nested(void) { int deeper(void) { return 1; } return 1; } // error: functions within nested functions
}
struct __attribute__((scalar_storage_order("big-endian"))) reversed { int x; }; // error: another byte order
struct wide { unsigned long long w : 40, v : 33; long long s : 50; unsigned long long all : 64; } wide;
unsigned long long fine(void) { return 1ull + wide.w + wide.s + (wide.w & 255) + (wide.w > 3) + (unsigned long long)wide.w * wide.v + ~wide.all; }
int bits(int i) {
  return wide.w + 1; // error: arithmetic in the 40 bits
  return wide.w << 3; // error: arithmetic in the 40 bits
  return wide.v * wide.w; // error: arithmetic in the 33 bits
  return wide.w == i; // error: arithmetic in the 40 bits
  return ~wide.w != 0; // error: arithmetic in the 40 bits
}
