// Calls with the same arguments are derived once: as a tree, the derivation would have two thousand steps.
// engine: duality  verdict: unsafe  resolution steps <= 400
extern void reach_error(void);
int sum(int n) {
    if (n < 1) return 0;
    if (n == 1) return 1;
    return sum(n - 1) + sum(n - 2);
}
int main(void) {
    if (sum(15) == 610) reach_error();
    return 0;
}
