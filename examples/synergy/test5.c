/* Like figure 1, with a bound from outside: there is no finite bisimulation. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), ok = 1, i = 0;
    while (i < n)
        i = i + 1;
    if (ok != 1)
        reach_error();
    return 0;
}
