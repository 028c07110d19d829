// engine: frames  verdict: safe
// A product is bounded by division before it is taken, and an index by a product is taken apart again.
extern unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_error(void);

int main(void) {
    unsigned width = __VERIFIER_nondet_uint(), height = __VERIFIER_nondet_uint();
    if (width == 0 || height > 0xffffffffu / width)
        return 0;
    if ((unsigned long)width * height > 0xffffffffu)
        __VERIFIER_error();
    if (width * height / width != height)
        __VERIFIER_error();
    unsigned row = __VERIFIER_nondet_uint(), column = __VERIFIER_nondet_uint();
    if (row >= height || column >= width)
        return 0;
    unsigned index = row * width + column;
    if (index >= width * height)
        __VERIFIER_error();
    if (index / width != row || index % width != column)
        __VERIFIER_error();
    return 0;
}
