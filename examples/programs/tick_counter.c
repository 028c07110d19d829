/* A timer that counts in unsigned ticks keeps working when the counter wraps. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned int start = __VERIFIER_nondet_uint();
    unsigned int passed = __VERIFIER_nondet_uint();
    unsigned int now;
    if (passed > 1000u)
        return 0;
    now = start + passed;
    if (now - start > 1000u)
        reach_error();
    return 0;
}
