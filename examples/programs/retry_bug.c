/* Like retry.c, but success is not looked at before the next try. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define TRIES 5

int main(void) {
    int tries = 0, sent = 0;
    while ((!sent || __VERIFIER_nondet_int()) && tries <= TRIES) {
        if (__VERIFIER_nondet_int())
            sent = 1;
        tries++;
    }
    if (!sent && tries != TRIES)
        reach_error();
    if (tries > TRIES || tries < 1)
        reach_error();
    return !sent;
}
