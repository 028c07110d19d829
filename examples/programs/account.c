/* Money moves between two accounts; none is made or lost, and none is overdrawn. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int mine = __VERIFIER_nondet_int();
    int yours = __VERIFIER_nondet_int();
    int total;
    __VERIFIER_assume(mine >= 0 && mine <= 1000000 && yours >= 0 && yours <= 1000000);
    total = mine + yours;
    while (__VERIFIER_nondet_int()) {
        int amount = __VERIFIER_nondet_int();
        if (amount <= 0)
            continue;
        if (__VERIFIER_nondet_int()) {
            if (amount <= mine) {
                mine -= amount;
                yours += amount;
            }
        } else {
            if (amount <= yours) {
                yours -= amount;
                mine += amount;
            }
        }
    }
    if (mine + yours != total || mine < 0 || yours < 0)
        reach_error();
    return 0;
}
