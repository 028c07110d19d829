// The middle of two numbers lies between them.
// engine: bits  verdict: safe
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_error(void);

int main(void) {
  double low = __VERIFIER_nondet_double(), high = __VERIFIER_nondet_double();
  if (!(low >= -1e300 && high <= 1e300 && low <= high))
    return 0;
  double middle = (low + high) / 2, same = 0.5 * (high + low);
  if (!(middle >= low && middle <= high && same >= low && same <= high))
    __VERIFIER_error();
  return 0;
}
