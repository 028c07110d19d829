// A call that ends its caller is a loop: the sum of both numbers stays what it was.
// check: overflow
// engine: vinta-octagons  verdict: safe
int nondet_int(void);
static long long add(long long m, long long n) {
    if (n > 0) {
        return add(m + 1, n - 1);
    }
    return m;
}
int main(void) {
    int m = nondet_int(), n = nondet_int();
    return add(m, n) > 0;
}
