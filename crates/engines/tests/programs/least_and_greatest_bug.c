// The least and the greatest of some floats are in order.
// engine: bits  verdict: unsafe
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int main(void) {
  float least = __VERIFIER_nondet_float();
  __VERIFIER_assume(least == least);
  float greatest = least;
  while (__VERIFIER_nondet_int()) {
    float x = __VERIFIER_nondet_float();
    if (x < least)
      least = x;
    if (!(x <= greatest))
      greatest = x;
    if (!(least <= greatest))
      __VERIFIER_error();
  }
  return 0;
}
