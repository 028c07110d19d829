// The product matters on the way to no goal: the label learnt after one value blocks the others.
// engine: lazy-annotation  verdict: safe  values fixed <= 2
extern int input(void);
extern void reach_error(void);
int main(void) {
    int x = input(), y = input(), a = 1;
    if (x * y > 1000 && x > 5 && y > 5) a = 2;
    if (a == 3) reach_error();
    return 0;
}
