// A charge that is used and renewed between two limits.
// engine: bits-induction  verdict: safe
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

struct battery {
  double charge;
  int empty;
};

static void use(struct battery *b, double amount) {
  if (b->charge >= amount)
    b->charge -= amount;
  else
    b->empty = 1;
}

static void load(struct battery *b, double amount) {
  b->charge += amount;
  if (b->charge > 100.0)
    b->charge = 100.0;
}

int main(void) {
  struct battery b = {50.0, 0};
  while (__VERIFIER_nondet_int()) {
    double amount = __VERIFIER_nondet_double();
    if (!(amount > 0.0 && amount <= 5.0))
      continue;
    if (__VERIFIER_nondet_int())
      use(&b, amount);
    else
      load(&b, amount);
    if (!(b.charge >= 0.0 && b.charge <= 100.0))
      __VERIFIER_error();
  }
  return 0;
}
