// Numbers, no two the same, with distances of which no two are the same either: what is assumed of the inputs leaves a
// tenth of the gates.
// engine: bits  verdict: unsafe  gates that matter <= 400
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);

static void assume(int condition) {
    if (!condition)
        abort();
}

static int number(int least) {
    int x = __VERIFIER_nondet_int();
    assume(x >= least);
    assume(x <= 5);
    return x;
}

static int distance(int x, int y) {
    int between = x - y;
    return between >= 0 ? between : between * -1;
}

int main(void) {
    int a = number(0), b = number(0), c = number(0), d = number(0), e = number(0), f = number(0);
    int ab = number(1), bc = number(1), cd = number(1), de = number(1), ef = number(1);
    assume(a != b); assume(a != c); assume(a != d); assume(a != e); assume(a != f);
    assume(b != c); assume(b != d); assume(b != e); assume(b != f);
    assume(c != d); assume(c != e); assume(c != f);
    assume(d != e); assume(d != f);
    assume(e != f);
    assume(ab != bc); assume(ab != cd); assume(ab != de); assume(ab != ef);
    assume(bc != cd); assume(bc != de); assume(bc != ef);
    assume(cd != de); assume(cd != ef);
    assume(de != ef);
    assume(ab == distance(a, b));
    assume(bc == distance(b, c));
    assume(cd == distance(c, d));
    assume(de == distance(d, e));
    assume(ef == distance(e, f));
    reach_error();
}
