// Where one operation is applied twice, the results are in the order of the operands: a fact for search and checker.
// engine: bits  verdict: safe
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

static float fahrenheit(float c) { return c * 1.8f + 32.0f; }

int main(void) {
  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
  __VERIFIER_assume(-100.0f <= a && a <= b && b <= 100.0f);
  if (fahrenheit(a) > fahrenheit(b))
    __VERIFIER_error();
  __VERIFIER_assume(0 <= x && x <= y && y <= 1e9f);
  if (x * x > y * y || 7.3f - x / 3 < 7.3f - y / 3)
    __VERIFIER_error();
  if (x > 0 && 5 / x < 5 / y)
    __VERIFIER_error();
  return 0;
}
