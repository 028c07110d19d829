// An error in a callee ends the callers.
// engine: lazy-annotation  verdict: unsafe
// engine: lazy-annotation-wp  verdict: unsafe
// engine: dart  verdict: unsafe
// engine: whale-instances  verdict: unsafe
// engine: whale-labels  verdict: unsafe
extern int input(void);
extern void reach_error(void);
int depth;
void down(int n) {
    depth = depth + 1;
    if (n == 0) {
        if (depth > 4) reach_error();
        return;
    }
    down(n - 1);
}
int main(void) {
    int n = input();
    if (n < 0) return 0;
    down(n);
    return 0;
}
