/* McMillan, Lazy Annotation, figure 1, "rec1": no call makes x smaller. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int x;

void rec1(void) {
    if (__VERIFIER_nondet_int()) {
        rec1();
        rec1();
    }
    x = x + 1;
}

int main(void) {
    x = 0;
    rec1();
    if (x < 0)
        reach_error();
    return 0;
}
