// Two functions that are handed what to call; that one is handed to the other makes neither recursive.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
static void once(int *count) {
    *count = *count + 1;
}
static void often(void (*what)(int *), int *count) {
    what(count);
    while (input())
        what(count);
}
static void many(int *count) {
    often(once, count);
}
int main(void) {
    int count = 0;
    often(many, &count);
    if (count < 1)
        reach_error();
}
