// ends
// assumes no memory outside of live objects is read, written or freed
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
