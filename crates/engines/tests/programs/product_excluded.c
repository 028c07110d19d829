// Seventeen values for the smaller factor, each refuted by itself: 37 is prime.
// engine: lazy-annotation  verdict: safe  values fixed >= 2
// engine: lazy-annotation-procedures  verdict: safe  values fixed >= 2
extern int input(void);
extern void reach_error(void);
int times(int x, int y) { return x * y; }
int main(void) {
    int x = input(), y = input();
    if (x < 2 || x > 18 || y < 2 || y > 1000) return 0;
    if (times(x, y) == 37) reach_error();
    return 0;
}
