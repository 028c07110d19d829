// returns 1
// assumes line 8: operands are evaluated from left to right or from right to left
int g;
int next(void) { return ++g; }
int three(int x, int y, int z) { return x + y + z == 6 && (x < y) == (y < z); }

int main(void) {
    return three(next(), next(), next());
}
