// A level of a tank, by exponential smoothing.
// engine: bits-induction  verdict: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

int main(void) {
  float level = 50.0f;
  unsigned long rounds = 0;
  while (__VERIFIER_nondet_int()) {
    float measured = (float)__VERIFIER_nondet_uchar();
    level = (level + measured) / 2.0f;
    rounds++;
    if (!(level >= 0.0f && level <= 255.0f))
      __VERIFIER_error();
  }
  return 0;
}
