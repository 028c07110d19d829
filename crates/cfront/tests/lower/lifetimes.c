// returns 0
// An object exists from the entry of its block to its end, however often its declaration is reached.
struct s { int i; };

int literal(int depth) {
    if (depth)
        return literal(depth - 1);
    struct s *p = 0, *q;
    int j = 0;
again:
    q = p, p = &((struct s){j++});
    if (j < 2)
        goto again;
    return p == q && q->i == 1;
}

int declared(int depth) {
    if (depth)
        return declared(depth - 1);
    int *p = 0, count = 0;
again:;
    int x = count++;
    if (p && (p != &x || *p != 1))
        return 0;
    p = &x;
    if (count < 2)
        goto again;
    return 1;
}

int loops(int depth) {
    int sum = depth > 0 ? loops(depth - 1) : 0;
    for (int i = 0; i < 3; i++) {
        int x = i, *p = &x;
        if (i == 1)
            continue;
        sum += *p;
    }
    return sum;
}

int main(void) {
    return !(literal(2) && declared(2) && loops(2) == 6);
}
