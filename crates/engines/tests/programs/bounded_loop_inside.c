// A bounded loop within an unbounded one is free by itself.
// engine: lazy-annotation  verdict: safe  bounded loops = 1  largest bound <= 1
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = 0;
    while (input()) {
        n = 0;
        for (int i = 0; i < 5; i++) n = n + 2;
        if (n > 10) reach_error();
    }
    return 0;
}
