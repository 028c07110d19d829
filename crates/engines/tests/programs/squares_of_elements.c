// Elements are squares of others, or equal to them: guesses with products, which a model has to get right.
// engine: houdini  verdict: safe
extern void reach_error(void);
extern short input(void);
int a[100000], b[100000];
int main(void) {
    for (int i = 0; i < 100000; i++) {
        a[i] = i;
        b[i] = i;
    }
    for (int i = 0; i < 100000; i++)
        if (input()) {
            int k = input();
            a[i] = k;
            b[i] = k * k;
        }
    for (int i = 0; i < 100000; i++)
        if (a[i] != b[i] && b[i] != a[i] * a[i])
            reach_error();
}
