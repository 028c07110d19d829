// A loop with a constant number of rounds needs no bound.
// engine: lazy-annotation  verdict: safe  unwindings = 1  largest bound = 0
// engine: lazy-annotation-procedures  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = 0, a = input();
    for (int i = 0; i < 12; i++) {
        if (a > i) n = n + 2;
    }
    if (n == 23 || n > 24) reach_error();
    return 0;
}
