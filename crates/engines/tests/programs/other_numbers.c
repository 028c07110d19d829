// The elements of one array stand at other numbers in the other, and loops count with two variables.
// engine: houdini  verdict: safe
extern int input(void);
extern void reach_error(void);
int a[1000], b[9000];
int main(void) {
    int i, j = 0;
    for (i = 0; i < 9000; i++)
        b[i] = input();
    for (i = 1; i < 9000; i = i + 9) {
        a[j] = b[i];
        j = j + 1;
    }
    for (j = 0; j < 1000; j++)
        if (a[j] != b[9 * j + 1])
            reach_error();
}
