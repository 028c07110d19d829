// An error after all rounds of a loop within a loop that counts down.
// engine: lazy-annotation  verdict: unsafe  unwindings = 1
// engine: lazy-annotation-procedures  verdict: unsafe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int n = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 7; j > 0; j--) n = n + 1;
    if (n == 35) reach_error();
    return 0;
}
