// reaches error
void assert(int);
int main(void) {
    int x = 1;
    assert(x == 1);
    assert(x == 2);
    return 0;
}
