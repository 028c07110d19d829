// returns 0
// assumes a designator that replaces part of a record leaves the rest of it
// Designators that replace part of what was given, and unions that take any member.
struct point { int x, y; };
struct line { struct point a, b; int k; };
struct large { struct point points[40]; int k; };
typedef union { int *signed_one; unsigned *unsigned_one; } either __attribute__((transparent_union));

int first(either e) { return *e.signed_one; }

int main(void) {
    struct point p = {1, 2};
    struct line l = {p, .b.y = 5, 7};
    if (l.a.x != 1 || l.a.y != 2 || l.b.x != 0 || l.b.y != 5 || l.k != 7)
        return 1;
    struct line q = {.k = 1, .a = p, .a.y = 9}, *r = &(struct line){.a = p, .b = p, .b.x = 4, .a.x = 3};
    if (q.a.x != 1 || q.a.y != 9 || q.b.y != 0 || q.k != 1)
        return 2;
    if (r->a.x != 3 || r->a.y != 2 || r->b.x != 4 || r->b.y != 2)
        return 3;
    struct large w = {.points[39] = p, .points[39].y = 8, .k = 6};
    if (w.points[39].x != 1 || w.points[39].y != 8 || w.points[38].y != 0 || w.k != 6)
        return 4;
    struct line s = {.a.y = 9, .a = p};
    if (s.a.y != 2)
        return 5;
    unsigned three = 3;
    return first(&three) == 3 ? 0 : 6;
}
