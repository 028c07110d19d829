// returns 0
// Whatever the order, the results are among those that C allows.
int g;
int next(void) { return ++g; }
int set(int value) { g = value; return value; }
int pair(int x, int y) { return 10 * x + y; }
int triple(int x, int y, int z) { return 100 * x + 10 * y + z; }
struct wide { int a[80]; };
struct wide make(int value) { struct wide w; w.a[0] = value + next(); return w; }
int firsts(struct wide x, struct wide y) { return pair(x.a[0], y.a[0]); }
struct small { int a, b; };
struct small little(void) { struct small s; s.a = next(); s.b = 0; return s; }
int smalls(struct small x, struct small y) { return pair(x.a, y.a); }

int main(void) {
    int r, a[3] = {0, 0, 0};
    g = 0;
    r = pair(next(), next());
    if (r != 12 && r != 21)
        return 1;
    g = 1;
    r = g + set(5);
    if (r != 6 && r != 10)
        return 2;
    g = 0;
    a[next() - 1] = next();
    if (!(a[0] == 2 && a[1] == 0) && !(a[1] == 1 && a[0] == 0))
        return 3;
    g = 1;
    g += set(5);
    if (g != 6 && g != 10)
        return 4;
    g = 0;
    r = firsts(make(0), make(0));
    if (r != 12 && r != 21)
        return 5;
    g = 0;
    r = smalls(little(), little());
    if (r != 12 && r != 21)
        return 6;
    g = 0;
    r = triple(next(), 0, next());
    if (r != 102 && r != 201)
        return 7;
    g = 0;
    int i = 0;
    r = i++ && i ? 1 : 2;
    if (r != 2 || i != 1)
        return 8;
    i = (i++, i);
    if (i != 2)
        return 9;
    i += next();
    return i == 3 ? 0 : 10;
}
