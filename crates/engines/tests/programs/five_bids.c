// Five bidders who hear of bids in any order: each remembers the highest that it has heard of, so that after four rounds in which
// everybody tells the next one, all agree, and exactly one has won.
// engine: bits  verdict: safe  conflicts <= 2000
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
    unsigned char d = __VERIFIER_nondet_uchar(), e = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a != b && a != c && a != d && a != e && b != c && b != d && b != e && c != d && c != e && d != e);
    unsigned char of_a = a, of_b = b, of_c = c, of_d = d, of_e = e;
    for (int round = 0; round < 4; round++) {
        unsigned char from_a = of_a, from_b = of_b, from_c = of_c, from_d = of_d, from_e = of_e;
        if (from_e > of_a) of_a = from_e;
        if (from_a > of_b) of_b = from_a;
        if (from_b > of_c) of_c = from_b;
        if (from_c > of_d) of_d = from_c;
        if (from_d > of_e) of_e = from_d;
    }
    int winners = (of_a == a) + (of_b == b) + (of_c == c) + (of_d == d) + (of_e == e);
    if (winners != 1 || of_a != of_b || of_b != of_c || of_c != of_d || of_d != of_e) __VERIFIER_error();
    return 0;
}
