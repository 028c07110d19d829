// A percentage of integers.
// engine: bits-induction  verdict: safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int done = 0;
  double percent = 0.0;
  while (__VERIFIER_nondet_int()) {
    if (done < 200)
      done++;
    percent = done * 100.0 / 200.0;
    if (!(percent >= 0.0 && percent <= 100.0))
      __VERIFIER_error();
  }
  return 0;
}
