/* Like goto_cleanup.c, but a failing timer leaves the interrupt taken. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int memory = 0, interrupt = 0, timer = 0;

int take(int *resource) {
    if (*resource != 0)
        reach_error();
    if (__VERIFIER_nondet_int())
        return -1;
    *resource = 1;
    return 0;
}

void give(int *resource) {
    if (*resource != 1)
        reach_error();
    *resource = 0;
}

int probe(void) {
    int error;
    error = take(&memory);
    if (error)
        goto fail_memory;
    error = take(&interrupt);
    if (error)
        goto fail_interrupt;
    error = take(&timer);
    if (error)
        goto fail_interrupt;
    return 0;
fail_interrupt:
    give(&memory);
fail_memory:
    return error;
}

int main(void) {
    if (probe() == 0) {
        give(&timer);
        give(&interrupt);
        give(&memory);
    }
    if (memory || interrupt || timer)
        reach_error();
    return 0;
}
