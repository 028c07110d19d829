// What is divided is never zero, so there is no NaN.
// engine: bits-induction  verdict: safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  double scale = 1.0, value = 0.0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      scale = scale > 0.5 && scale < 4.0 ? scale * 2.0 : 1.0;
    if (__VERIFIER_nondet_int())
      value = 5.0 / scale;
    if (value != value)
      __VERIFIER_error();
    if (value < 0.0 || value > 10.0)
      __VERIFIER_error();
  }
  return 0;
}
