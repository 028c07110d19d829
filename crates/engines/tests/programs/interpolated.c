// Interpolation in a table with a weight between zero and one.
// engine: bits-induction  verdict: safe
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

static const float table[4] = {0.0f, 10.0f, 30.0f, 60.0f};

int main(void) {
  float x = 0.0f, found = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float step = __VERIFIER_nondet_float();
    if (!(step >= 0.0f && step <= 0.5f))
      continue;
    x += step;
    if (x >= 3.0f)
      x = 0.0f;
    int i = (int)x;
    float weight = x - (float)i;
    found = table[i] + weight * (table[i + 1] - table[i]);
    if (!(found >= 0.0f && found <= 90.0f))
      __VERIFIER_error();
  }
  return 0;
}
