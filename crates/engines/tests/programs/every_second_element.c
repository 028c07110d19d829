// A condition of two elements, which holds of every second one only.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int main(void) {
    int a[100000], b[100000];
    for (int i = 0; i < 100000; i = i + 2) {
        a[i] = input();
        if (a[i] == 10)
            b[i] = 20;
    }
    for (int i = 0; i < 100000; i = i + 2)
        if (a[i] == 10 && b[i] != 20)
            reach_error();
}
