// returns 0
struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    signed level : 4;
    _Bool set : 1;
    unsigned long long wide : 33;
};
struct packed {
    unsigned a : 5;
    unsigned b : 30;
} __attribute__((packed));

struct flags everywhere = {1, 9, -3, 1, 0x1ffffffffull};

int main(void) {
    if (everywhere.mode != 1 || everywhere.level != -3 || everywhere.wide != 0x1ffffffffull)
        return 1;
    struct flags f = {0};
    f.ready = 2;
    if (f.ready != 0)
        return 2;
    f.ready = 3;
    f.mode = 7;
    f.mode++;
    if (f.ready != 1 || f.mode != 0)
        return 3;
    f.level = 7;
    if (++f.level != -8)
        return 4;
    f.set = 4;
    if (f.set != 1)
        return 5;
    struct flags *p = &everywhere;
    p->ready = 0;
    p->level = 5;
    p->mode = p->level + 1;
    if (p->ready || p->level != 5 || p->mode != 6 || !p->set || everywhere.wide != 0x1ffffffffull)
        return 6;
    int assigned = (p->mode = 12);
    if (assigned != 4)
        return 7;
    struct packed q = {31, 0x3fffffff}, *r = &q;
    r->a = 1;
    r->b -= 1;
    if (q.a != 1 || q.b != 0x3ffffffe)
        return 8;
    return 0;
}
