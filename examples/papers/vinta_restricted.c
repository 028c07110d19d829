/* Albarghouthi's thesis, figure 5.3: x <= 10 && x != 9. Restricted interpolants keep x <= 10, which
   the intervals know; plain ones lose it and need another unrolling. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 10;
    while (__VERIFIER_nondet_int())
        x = x - 2;
    if (x == 9)
        reach_error();
    return 0;
}
