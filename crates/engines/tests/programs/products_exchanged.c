// Two products whose sum stays the same while their factors change.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    int a = input() % 1000, b = input() % 1000;
    if (a < 1 || b < 1) return 0;
    long long x = a, y = b, u = b, v = a;
    while (x != y) {
        if (x > y) { x -= y; v += u; }
        else { y -= x; u += v; }
    }
    if (x * u + y * v != 2 * (long long)a * b) reach_error();
    return 0;
}
