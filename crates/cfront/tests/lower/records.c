// returns 0
struct point {
    int x, y;
};
struct line {
    struct point from, to;
    char name[4];
};
union value {
    int number;
    unsigned char bytes[4];
    struct {
        short low, high;
    } halves;
};

struct point make(int x, int y) {
    struct point p = {x, y};
    return p;
}

struct point swap(struct point p) {
    return (struct point){.x = p.y, .y = p.x};
}

union value pack(int n) {
    union value v;
    v.number = n;
    return v;
}

int sum(struct line l) { return l.from.x + l.from.y + l.to.x + l.to.y + l.name[1]; }

int main(void) {
    struct point p = make(1, 2), q;
    q = swap(p);
    if (q.x != 2 || q.y != 1)
        return 1;
    p = (struct point){p.y, p.x};
    if (p.x != 2 || p.y != 1)
        return 2;
    struct line l = {{1, 2}, {.y = 4}, "ab"}, copy;
    copy = l;
    copy.to.x = 10;
    if (sum(l) != 1 + 2 + 4 + 'b' || sum(copy) != 1 + 2 + 4 + 10 + 'b')
        return 3;
    struct line *at = &copy;
    at->from = swap(at->from);
    if (copy.from.x != 2 || at->from.y != 1)
        return 4;
    union value v = pack(0x01020304);
    if (v.bytes[0] != 4 || v.bytes[3] != 1 || v.halves.high != 0x0102)
        return 5;
    v.bytes[1] = 0xff;
    if (v.number != 0x0102ff04)
        return 6;
    struct point both = p.x > 1 ? p : q;
    if (both.x != 2)
        return 7;
    struct point table[3] = {[1] = {5, 6}, {7, 8}};
    if (table[0].x != 0 || table[1].y != 6 || table[2].x != 7)
        return 8;
    return make(3, 4).y - 4;
}
