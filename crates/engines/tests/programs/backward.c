// Weakest preconditions exclude -1, then -2, then -3; from the goal backwards all negative numbers.
// engine: lazy-annotation-wp  verdict: safe
// engine: lazy-annotation-procedures  verdict: safe
extern int input(void);
extern void reach_error(void);
int x;
void step(void) { x = x + 1; }
int main(void) {
    x = 0;
    while (input()) step();
    if (x == -1) reach_error();
    return 0;
}
