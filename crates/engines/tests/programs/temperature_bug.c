// A thermostat keeps the temperature.
// engine: random  verdict: unsafe
extern void __VERIFIER_error(void);

int main(void) {
  double temperature = 20.0;
  int heating = 0;
  for (;;) {
    if (temperature < 18.0)
      heating = 1;
    if (temperature > 22.0)
      heating = 0;
    temperature += heating ? 0.3 : -0.2;
    if (!(temperature > 17.5 && temperature < 21.9))
      __VERIFIER_error();
  }
}
