/* Like tick_counter.c, but it compares points in time, and not their distance. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned int start = __VERIFIER_nondet_uint();
    unsigned int passed = __VERIFIER_nondet_uint();
    unsigned int now;
    if (passed > 1000u)
        return 0;
    now = start + passed;
    if (now > start + 1000u || now < start)
        reach_error();
    return 0;
}
