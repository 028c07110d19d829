// Every element has been written when all rounds are over, however many they are.
// engine: cells  verdict: safe
extern int input(void);
extern void reach_error(void);
int a[100000];
int main(void) {
    int n = input();
    if (n < 0 || n > 100000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 7;
    int j = input();
    if (j >= 0 && j < n && a[j] != 7)
        reach_error();
    return 0;
}
