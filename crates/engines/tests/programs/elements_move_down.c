// An array is shifted in place: cells between its elements are not written, and those above are read before.
// engine: frames  verdict: safe
// check: error
extern void reach_error(void);
extern unsigned input(void);
int x[1000];
int main(void) {
    for (int i = 0; i < 1000; i++)
        x[i] = input();
    unsigned k = input();
    if (k < 1 || k > 999)
        return 0;
    int kept = x[k];
    for (int i = 0; i < 999; i++)
        x[i] = x[i + 1];
    if (x[k - 1] != kept)
        reach_error();
}
