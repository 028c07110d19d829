// A loop in a recursive procedure, and one around a call of it.
// engine: lazy-annotation  verdict: safe
// engine: whale-instances  verdict: safe
// engine: whale-labels  verdict: safe
extern int input(void);
extern void reach_error(void);
int x;
void grow(int n) {
    while (input()) x = x + 1;
    if (n > 0) grow(n - 1);
}
int main(void) {
    int y = input();
    x = y;
    while (input()) grow(input());
    if (x < y) reach_error();
    return 0;
}
