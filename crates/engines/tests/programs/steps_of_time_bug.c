// Time that is added up until it is over.
// engine: random  verdict: unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  double t = 0.0;
  while (t < 10.0) {
    t += 0.1;
    if (__VERIFIER_nondet_int())
      t += 0.05;
  }
  if (!(t >= 10.0 && t <= 10.01))
    __VERIFIER_error();
  return 0;
}
