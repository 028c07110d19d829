// Without limits, a proportional controller stays in range, as its input does.
// engine: bits-induction  verdict: safe
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  float output = 0.0f, before = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float error = __VERIFIER_nondet_float();
    if (!(error <= 8.0f && error >= -8.0f))
      error = before;
    output = 3.0f * error + 0.5f * (error - before);
    before = error;
    if (output > 32.0f || output < -32.0f)
      __VERIFIER_error();
  }
  return 0;
}
