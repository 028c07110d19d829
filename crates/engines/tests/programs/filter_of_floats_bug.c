// A filter of first order keeps the range of what goes in.
// engine: bits  verdict: unsafe
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int main(void) {
  float y = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= -1.0f && x <= 1.0f);
    y = 0.9f * y + 0.1f * x;
    if (!(y <= 0.2f && y >= -0.2f))
      __VERIFIER_error();
  }
  return 0;
}
