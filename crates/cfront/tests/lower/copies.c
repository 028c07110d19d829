// returns 0
// Sizes that are narrowed or wrap around, and copies onto themselves.
#include <string.h>

struct point { int x, y, z; };
struct shifted { int head; struct point point; };
union overlap { struct point point; struct shifted shifted; };
struct big { int head; int many[20]; };
union overlap_big { struct { struct big first; int end; } low; struct { int start; struct big second; } high; };

int five(void) { return 5; }

int main(void) {
    unsigned n = 60u + (unsigned)five();
    int a[4] = {1, 1, 1, 1}, b[4] = {2, 2, 2, 2};
    memset(a, 0, (unsigned char)(n * 4));
    if (a[0] != 0 || a[1] != 1)
        return 1;
    unsigned long many = 0x4000000000000000ul + (unsigned long)five() - 4;
    if (sizeof many == 8) {
        memcpy(b, a, many * sizeof(int));
        if (b[0] != 0 || b[1] != 2)
            return 2;
    }
    unsigned wraps = 0x40000001u + (unsigned)five() - 5;
    memset(a, 0xff, wraps * 4);
    if (a[0] != -1 || a[1] != 1)
        return 3;
    union overlap u;
    u.point.x = 1, u.point.y = 2, u.point.z = 3;
    memmove(&u.shifted.point, &u.point, sizeof u.point);
    if (u.shifted.point.x != 1 || u.shifted.point.y != 2 || u.shifted.point.z != 3)
        return 4;
    memmove(&u.point, &u.shifted.point, sizeof u.point);
    if (u.point.x != 1 || u.point.y != 2 || u.point.z != 3)
        return 5;
    union overlap_big w;
    w.low.first.head = 1;
    for (int i = 0; i < 20; i++)
        w.low.first.many[i] = i;
    memmove(&w.high.second, &w.low.first, sizeof w.low.first);
    if (w.high.second.head != 1 || w.high.second.many[0] != 0 || w.high.second.many[19] != 19)
        return 6;
    return 0;
}
