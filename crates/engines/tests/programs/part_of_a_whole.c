// A part is not more than the whole, nor a share more than one.
// engine: bits  verdict: safe
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float(), share = __VERIFIER_nondet_float();
  if (!(x >= 0 && y >= 0 && x <= 1e6f && y <= 1e6f && share >= 0 && share <= 1))
    return 0;
  float part = x * share, sum = x + y;
  if (!(part <= x && sum >= x))
    __VERIFIER_error();
  if (y > 0 && !(x / (x + y) <= 1))
    __VERIFIER_error();
  return 0;
}
