// Rounding keeps the order, but what differs may be equal after it, and squares fall below zero.
// engine: bits  verdict: unsafe
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int main(void) {
  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
  __VERIFIER_assume(-100.0f <= a && a < b && b <= 100.0f);
  if (a * a > b * b && a + 1000.0f == b + 1000.0f && b > -1.5f)
    __VERIFIER_error();
  return 0;
}
