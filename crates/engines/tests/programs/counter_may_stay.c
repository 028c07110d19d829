// A loop whose counter may stay is not bounded.
// engine: lazy-annotation  verdict: safe  bounded loops = 0
extern int input(void);
extern void reach_error(void);
int main(void) {
    int i = 0;
    while (i < 12) {
        if (input()) i = i + 1;
    }
    if (i > 12) reach_error();
    return 0;
}
