/* A deterministic loop with a branch inside; the check after it is about the branch. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, held = 0;
    while (i < 100) {
        if (__VERIFIER_nondet_int())
            held = 1 - held;
        else
            held = held == 0 ? 0 : 1;
        i = i + 1;
    }
    if (held != 0 && held != 1)
        reach_error();
    return 0;
}
