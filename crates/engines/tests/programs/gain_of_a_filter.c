// The gain of a Kalman filter of one variable is a part of one, and its uncertainty stays small.
// engine: bits-induction  verdict: safe
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  float uncertainty = 1.0f;
  while (__VERIFIER_nondet_int()) {
    float noise = __VERIFIER_nondet_float();
    if (!(noise >= 0.125f && noise <= 4.0f))
      continue;
    float predicted = uncertainty + 0.0078125f;
    float gain = predicted / (predicted + noise);
    uncertainty = (1.0f - gain) * predicted;
    if (!(gain >= 0.0f && gain <= 1.0f))
      __VERIFIER_error();
  }
  return 0;
}
