// Two elements change their places: the greatest one is the same.
// engine: frames  verdict: safe
// check: error
extern void reach_error(void);
extern int input(void);
int x[1000];
static int greatest(void) {
    int most = 0;
    for (int i = 0; i < 1000; i++)
        most = most < x[i] ? x[i] : most;
    return most;
}
int main(void) {
    for (int i = 0; i < 1000; i++)
        x[i] = input();
    int before = greatest();
    int t = x[0];
    x[0] = x[1];
    x[1] = t;
    if (before != greatest())
        reach_error();
}
