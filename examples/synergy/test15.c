/* The check is inside of the loop; the reachable bisimulation is finite. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 2)
            reach_error();
        state = state == 0 ? 1 : 0;
    }
    return 0;
}
