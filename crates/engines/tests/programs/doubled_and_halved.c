// Half of a number is exact where the number is a power of two.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned a = input(), q = 0, r = a, b = 1;
    while (r >= b) b = 2 * b;
    while (b != 1) {
        q = 2 * q;
        b = b / 2;
        if (r >= b) { q = q + 1; r = r - b; }
    }
    if (a != q * b + r) reach_error();
    return 0;
}
