/* McMillan, Lazy Annotation, figure 1, "call1": the summary of foo is x' > x, whatever y is. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int x;

void foo(void) {
    x = x + 1;
}

int main(void) {
    int y = __VERIFIER_nondet_int();
    __VERIFIER_assume(y < 1000000);
    x = y;
    foo();
    if (x < y)
        reach_error();
    return 0;
}
