// All arguments of a call are evaluated before a parameter changes.
// engine: ufo  verdict: unsafe
int nondet_int(void);
void reach_error(void);
static int swap(int a, int b, int times) {
    if (times == 0) {
        return a;
    }
    return swap(b, a, times - 1);
}
int main(void) {
    int times = nondet_int();
    if (0 <= times && times < 4 && swap(1, 2, times) == 2 && times > 1) {
        reach_error();
    }
    return 0;
}
