// returns 45
// closed
// What is not initialised decides nothing, though it is copied about.
struct mixed { char c; int i; };
int copies(void) {
    int unset, copy = unset;
    struct mixed a, b;
    int some[4];
    some[0] = copy, some[1] = 1;
    a.i = 5;
    b = a;
    return b.i - 4 * some[1] - 1;
}
int main(void) {
    int sum = copies(), i, table[10];
    for (i = 0; i < 10; i++)
        table[i] = i;
    while (i-- > 0)
        sum += table[i];
    return sum;
}
