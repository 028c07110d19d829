// --check conversion
extern int __VERIFIER_nondet_int(void);

static void use(short s) { (void)s; }

int main(void) {
    int i = __VERIFIER_nondet_int();
    unsigned char c = 0;
    if (i >= 0 && i < 256)
        c = i;
    c = (unsigned char)i;
    c++; // unsafe: `c++` changes its value when it becomes `unsigned char`
    unsigned u = i; // unsafe: `i` changes its value when it becomes `unsigned int`
    if (i > 0 && u < 10)
        use(i);
    use(i); // unsafe: `i` changes its value when it becomes `short`
    return 0;
}
