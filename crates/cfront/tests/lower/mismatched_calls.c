// ends
// assumes 'two' is not called through a pointer that does not fit it
int g;
int two(int a, int b) {
    g = a + b;
    return 1;
}
int main(void) {
    int (*p)() = (int (*)())two;
    p(1);
    return g;
}
