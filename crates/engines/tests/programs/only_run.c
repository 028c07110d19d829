// Without inputs there is one run, and it says what is the case after many rounds.
// engine: random  verdict: unsafe  tests = 0
extern void reach_error(void);
int main(void) {
    unsigned x = 3000001;
    while (x > 1) x -= 2;
    if (x % 2) reach_error();
    return 0;
}
