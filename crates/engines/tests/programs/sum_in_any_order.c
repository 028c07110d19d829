// All elements move to the place before, and the first one to the last: the sum is the same.
// engine: frames  verdict: safe
// check: error
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
    int first = x[0];
    for (int i = 0; i < 999; i++)
        x[i] = x[i + 1];
    x[999] = first;
    if (before != sum())
        reach_error();
}
