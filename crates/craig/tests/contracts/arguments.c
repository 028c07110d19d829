// Each line says how a function is checked and what comes out.
//
// unsafe: --entry first
// safe: --entry first --requires 'valid(p)'
// safe: --entry first --requires 'p != 0'
// safe: --entry nullable
// safe: --entry sum --requires 'valid(a, n) && n <= 4096'
// safe: --entry sum --requires 'n <= 4096 && valid(a, n)'
// unsafe: --entry sum --requires 'valid(a, n - 1) && 0 < n && n <= 4096'
// unsafe: --entry sum
// vacuous: --entry sum --requires 'valid(a, n) && n < 3 && n > 5'
// error --requires:1:10: error: `m` is not declared: --entry sum --requires 'valid(a, m)'
// error --requires:1:9: error: `b` is not declared: --entry sum --requires 'n > 0 &&b'
// error --requires:1:2: error: `valid` must be a condition of its own: --entry sum --requires '!valid(a, n)'
// error --requires:1:1: error: in C the result: --entry sum --requires '0 < n < 3'
// error --requires:1:7: error: `n` does not point to an object: --entry sum --requires 'valid(n)'
// error there is no function 'nothing': --entry nothing
//
// Two arguments may be one object, unless that is excluded.
// unsafe: --entry two --requires 'valid(a) && valid(b)'
// safe: --entry two --requires 'valid(a) && fresh(b)'
// unsafe: --entry part --requires 'valid(a, 4) && valid(b)'
// safe: --entry part --requires 'fresh(a, 4) && valid(b)'
// unsafe: --entry overlap --requires 'valid(a, 2) && valid(b, 2)'
// unsafe: --entry one_global --requires 'valid(p)'
// safe: --entry one_global --requires 'fresh(p)'
//
// Pointers in objects, strings, globals, callbacks.
// unsafe: --entry push --requires 'valid(v)'
// safe: --entry push --requires 'valid(v) && valid(v->items, v->room)'
// safe: --entry second --requires 'string(s)'
// unsafe: --entry third --requires 'string(s)'
// safe: --entry third --requires 'valid(s, 4) && string(s)'
// unsafe: --entry limited
// safe: --entry limited --requires 'limit > 0'
// safe: --entry call
// unsafe: --entry maybe --requires 'p == 0 || valid(p, n)'
// safe: --entry maybe --requires 'n == 4 && (p == 0 || valid(p, n))'
// safe: --entry names
// safe: --entry own_name --requires 'own_name > 0'
// unsafe: --entry own_name
void reach_error(void);

int first(int *p) {
    return *p;
}

int nullable(int *p) {
    return p ? *p : 0;
}

unsigned sum(const unsigned *a, unsigned n) {
    unsigned total = 0, i;
    for (i = 0; i < n; i++)
        total += a[i];
    return total;
}

void two(int *a, int *b) {
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}

void part(int *a, int *b) {
    a[3] = 1;
    *b = 2;
    if (a[3] != 1)
        reach_error();
}

void overlap(char *a, char *b) {
    a[1] = 1;
    b[0] = 2;
    if (a[1] != 1 && b != a + 1)
        reach_error();
    if (b == a + 1)
        reach_error();
}

int counter;

void one_global(int *p) {
    counter = 1;
    *p = 2;
    if (counter != 1)
        reach_error();
}

struct vector {
    int *items;
    unsigned used, room;
};

int push(struct vector *v, int item) {
    if (v->used >= v->room)
        return -1;
    v->items[v->used++] = item;
    return 0;
}

int second(const char *s) {
    return s[0] ? s[1] : 0;
}

int third(const char *s) {
    return s[2];
}

int limit = 0;

int limited(int x) {
    return x % limit;
}

int call(int (*f)(int), int x) {
    return f ? f(x) : 0;
}

int maybe(int *p, int n) {
    return p ? p[3] : n;
}

struct names { unsigned at; int *more; };

unsigned names(struct names *at, int *more, void *all) {
    return (at ? at->at : 0) + (more != 0) + (all != 0);
}

static int own_name(int own_name) {
    return 10 / own_name;
}
