// A local of a call has no value of the call before.
// engine: ufo  verdict: unsafe
int nondet_int(void);
void reach_error(void);
static void count(int n) {
    int first;
    if (n == 3) {
        first = 7;
    }
    if (n == 2 && first != 7) {
        reach_error();
    }
    if (n > 0) {
        count(n - 1);
    }
}
int main(void) {
    count(3);
    return 0;
}
