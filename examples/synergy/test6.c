/* The error is reached by the first test. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0;
    while (i < 10)
        i = i + 1;
    if (i == 10)
        reach_error();
    return 0;
}
