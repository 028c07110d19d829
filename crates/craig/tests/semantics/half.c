// Numbers of 16 bits, `_Float16`: rounded where they are assigned, computed with as `float`.

//: half_values safe
static _Float16 table[3] = {1.5, -0.0f, 65504};
struct pair { char c; _Float16 x, y; };
static _Float16 twice(_Float16 x) { return x * 2; }
int main(void) {
    _Float16 a = 1.5, b = 2.5f16, result = a + b;
    assert(result == 4.0);
    assert(sizeof a == 2 && sizeof(struct pair) == 6 && _Alignof(_Float16) == 2);
    _Float16 third = 1.0 / 3;
    assert(third != 1.0 / 3 && third == 0.333251953125);
    assert(!table[1] && -table[1] == 0 && table[2] + 8 == 65512);
    _Float16 large = table[2] + 16;
    assert(large > 65504 && large == large + 1);
    struct pair p = {'x', 3, twice(table[0])}, q = p, *r = &q;
    r->x += 0.25;
    assert(q.x == 3.25 && r->y == 3 && p.x == 3);
    unsigned short bits;
    memcpy(&bits, &r->x, 2);
    assert(bits == 0x4280);
    int n = 2049;
    _Float16 rounded = n;
    assert(rounded == 2048 && (int)(_Float16)2051 == 2052 && (_Float16)(n * 1e-9) > 0);
    volatile float tiny = 1e-9f;
    _Float16 zero = tiny;
    if (zero) return 1;
    float back = third;
    assert(back == third);
    return 0;
}

//: half_found error 16896
int main(void) { unsigned short bits = __VERIFIER_nondet_ushort(); _Float16 h; memcpy(&h, &bits, 2); if (h == 3) assert(0); return 0; }

//: half_not_equal error
int main(void) { _Float16 tenth = 0.1; assert(tenth == 0.1); return 0; }

//: half_old_value safe
int main(void) { _Float16 h = 1; assert(h++ == 1 && h == 2 && h-- == 2 && h == 1 && ++h == 2); return 0; }

//: half_changes_where_an_index_moves safe
int main(void) { _Float16 a[3] = {1, 2, 3}, *p = a; int i = 0; a[i++] += 0.5f16; *p++ *= 2; assert(i == 1 && p == a + 1 && a[0] == 3 && a[i++]++ == 2 && a[1] == 3 && i == 2); return 0; }

//: half_of_another_kind refused
int main(void) { __bf16 h = 1; return h == 1; }

//: half_in_the_direction_of_rounding safe
#include <fenv.h>
static unsigned short bits(_Float16 h) { unsigned short b; memcpy(&b, &h, 2); return b; }
static unsigned short rounded(int direction, double x) { fesetround(direction); _Float16 h = x; fesetround(FE_TONEAREST); return bits(h); }
int main(void) {
    double third = 1.0 / 3, large = 65519.0, tiny = 4.9e-324;
    assert(rounded(FE_TONEAREST, third) == 0x3555 && rounded(FE_UPWARD, third) == 0x3556 && rounded(FE_UPWARD, -third) == 0xb555);
    assert(rounded(FE_DOWNWARD, -third) == 0xb556 && rounded(FE_TOWARDZERO, -third) == 0xb555);
    assert(rounded(FE_UPWARD, large) == 0x7c00 && rounded(FE_DOWNWARD, 1e300) == 0x7bff && rounded(FE_DOWNWARD, -1e300) == 0xfc00);
    assert(rounded(FE_UPWARD, tiny) == 1 && rounded(FE_UPWARD, -tiny) == 0x8000 && rounded(FE_TONEAREST, 0x1.8p-25) == 1);
    return 0;
}
