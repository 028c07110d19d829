/* The greatest common divisor of two numbers of eight bits is not above the first, unless that is zero. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    signed char first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
    signed char a = first, b = second;
    if (a <= 0)
        return 0;
    while (b != 0) {
        signed char rest = a % b;
        a = b;
        b = rest;
    }
    if (a > first)
        reach_error();
    return 0;
}
