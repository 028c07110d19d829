// The index into a table is what is left of a double.
// engine: bits-induction  verdict: safe
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int table[101];

int main(void) {
  int sum = 0;
  double x = 0.0;
  while (__VERIFIER_nondet_int()) {
    double step = __VERIFIER_nondet_double();
    if (step >= -60.0 && step <= 60.0)
      x = x + step;
    if (x < 0.0)
      x = 0.0;
    if (x > 100.0)
      x = 100.0;
    int index = (int)x;
    if (index < 0 || index > 100)
      __VERIFIER_error();
    sum ^= table[index];
  }
  return sum;
}
