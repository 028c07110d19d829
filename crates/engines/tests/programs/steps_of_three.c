// A remainder and a bound beyond the last comparison.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned n = input(), i = 0, j = 0;
    if (n > 20000000) return 0;
    while (i < n) { i += 3; j += 3; }
    if (i != j || i == 20000002 || i > n + 2) reach_error();
    return 0;
}
