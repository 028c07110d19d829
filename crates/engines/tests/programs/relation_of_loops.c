// What one loop counts down the next counts up: sums of variables that stay the same.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned n = input(), x = n, y = 0, z;
    while (x > 0) { x--; y++; }
    z = y;
    while (z > 0) { x++; z--; }
    if (x != n || y != n) reach_error();
    return 0;
}
