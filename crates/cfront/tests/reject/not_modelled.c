int setjmp(long *); void use(void *); long buffer[8]; int i;
void f(int n) {
  setjmp(buffer); // error: `setjmp` is not modelled
  int filled[n] = {1}; // error: cannot be initialised
  int guarded[n] __attribute__((cleanup(use))); // error: that is cleaned up
  __builtin_apply_args(); // error: `__builtin_apply_args` is not modelled
  (void)({ inside: 1; });
  goto inside; // error: into a statement expression
}
typedef int vector __attribute__((vector_size(16))); vector v1, v2; _Complex double c;
typedef int odd __attribute__((vector_size(12))); // error: must be a power of two
typedef int *of_pointers[2] __attribute__((vector_size(16)));
vector sum = (vector){1} + 2; // error: outside of functions
void add(void) {
  v1 = v1 + (float __attribute__((vector_size(16)))){1}; // error: this operator does not apply
  v1 = 1; // error: cannot become
  v1 = __builtin_shufflevector(v1, v2, 0, 1, 2, 8); // error: there is no such element
  c = 2 / c; // error: complex numbers are not modelled without the library
}
void g(int n) {
  auto int later(void); // error: a nested function that is declared before it is defined
  int nested(void) { int deeper(void) { return 1; } return 1; } // error: functions within nested functions
}
struct __attribute__((scalar_storage_order("big-endian"))) reversed { int x; }; // error: another byte order
struct wide { unsigned long long w : 40, v : 33; long long s : 50; unsigned long long all : 64; } wide;
unsigned long long fine(int i) { return 1ull + wide.w + wide.s + (wide.w & 255) + (wide.w == i) + (wide.v < 5u) + wide.w * wide.v + ~wide.w; }
int bits(int i) {
  i /= wide.w; // error: a quotient in 40 bits is not modelled
  return i;
}
