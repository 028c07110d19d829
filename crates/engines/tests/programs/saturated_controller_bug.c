// A controller whose integral and output are limited.
// engine: bits  verdict: unsafe
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

static double limited(double value, double least, double most) {
  if (value < least)
    return least;
  if (value > most)
    return most;
  return value;
}

int main(void) {
  double integral = 0.0, previous = 0.0;
  while (__VERIFIER_nondet_int()) {
    double error = __VERIFIER_nondet_double();
    if (!(error >= -100.0 && error <= 100.0))
      continue;
    integral = limited(integral + error * 0.01, -10.0, 10.0);
    double output = limited(2.0 * error + 0.5 * integral + 4.0 * (error - previous), -50.0, 50.0);
    previous = error;
    if (!(output >= -50.0 && output <= 40.0))
      __VERIFIER_error();
  }
  return 0;
}
