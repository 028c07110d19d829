// returns 0
struct pair {
    int a, b;
};
typedef int (*operation)(int, int);

int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
struct pair both(int a) { return (struct pair){a, a + 1}; }
void nothing(void) {}

struct table {
    const char *name;
    operation run;
} tables[] = {{"add", add}, {"sub", &sub}};

int apply(operation f, int a, int b) { return f ? (*f)(a, b) : 0; }

int main(void) {
    if (apply(add, 2, 3) != 5 || apply(tables[1].run, 2, 3) != -1 || apply(0, 1, 1))
        return 1;
    operation f = add;
    f = f == add ? sub : add;
    if (f(9, 4) != 5)
        return 2;
    struct pair (*g)(int) = both;
    if (g(4).b != 5)
        return 3;
    void (*h)(void) = nothing;
    h();
    (*h)();
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum = sum * 10 + tables[i].run(5, 1);
    return sum - 64;
}
