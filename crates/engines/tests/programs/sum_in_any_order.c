// Two elements change their places, then all move to the next one: the sum is the same.
// engine: frames  verdict: safe
extern void reach_error(void);
extern int input(void);
int x[1000];
static long long sum(void) {
    long long s = 0;
    for (int i = 0; i < 1000; i++)
        s = s + x[i];
    return s;
}
int main(void) {
    for (int i = 0; i < 1000; i++)
        x[i] = input();
    long long before = sum();
    int t = x[0];
    x[0] = x[1];
    x[1] = t;
    if (before != sum())
        reach_error();
    t = x[0];
    for (int i = 0; i < 999; i++)
        x[i] = x[i + 1];
    x[999] = t;
    if (before != sum())
        reach_error();
}
