// A filter of first order in double precision.
// engine: bits-induction  verdict: safe
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int main(void) {
  double y = 0.0;
  while (__VERIFIER_nondet_int()) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0.0 && x <= 100.0);
    y = 0.75 * y + 0.25 * x;
    if (!(y <= 100.0 && y >= 0.0))
      __VERIFIER_error();
  }
  return 0;
}
