// What was added up is taken away again: a sum of elements that nobody knows.
// engine: frames  verdict: safe
// check: error
extern void reach_error(void);
extern short input(void);
int main(void) {
    short size = input();
    if (size < 1)
        return 0;
    short a[size];
    for (int i = 0; i < size; i++)
        a[i] = input();
    long long sum = 0;
    for (int i = 0; i < size; i++)
        sum = sum + a[i];
    for (int i = 0; i < size; i++)
        sum = sum - a[i];
    if (sum != 0)
        reach_error();
}
