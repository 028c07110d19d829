// A factor is fixed to reach a product.
// engine: lazy-annotation  verdict: unsafe  values fixed >= 1
// engine: lazy-annotation-procedures  verdict: unsafe  values fixed >= 1
extern int input(void);
extern void reach_error(void);
int times(int x, int y) { return x * y; }
int main(void) {
    int x = input(), y = input();
    if (x < 2 || x > 18 || y < 2 || y > 1000) return 0;
    if (times(x, y) == 391) reach_error();
    return 0;
}
