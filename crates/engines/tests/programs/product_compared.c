// The place of the last of n elements: products with a common factor compare as their other factors do.
// engine: ufo  verdict: safe
// engine: vinta  verdict: safe
// engine: pdr  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned long n = input(), size = input(), i = input();
    if (n > 100000 || size > 1000 || i >= n) return 0;
    unsigned long total = n * size, at = i * size;
    if (at + size > total) reach_error();
    return 0;
}
