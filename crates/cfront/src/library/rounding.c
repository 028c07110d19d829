// Directions of rounding, as <fenv.h> of x86 has them, and integers that `round.c` computes with.

typedef unsigned __int128 wide;

enum { nearest = 0, down = 0x400, up = 0x800, towards_zero = 0xc00 };

static int __craig_direction;

int __craig_fegetround(void) {
    return __craig_direction;
}

int __craig_fesetround(int direction) {
    if (direction != nearest && direction != down && direction != up && direction != towards_zero)
        return 1;
    __craig_direction = direction;
    return 0;
}

// The bit for the sign.
_Bool __craig_float_sign(double x) {
    union {
        double number;
        unsigned long long bits;
    } image;
    image.number = x;
    return (image.bits >> 63) != 0;
}

// How many binary digits there are.
int __craig_float_length(wide m) {
    int n = 0;
    if (m >> 64) {
        n = n + 64;
        m = m >> 64;
    }
    if (m >> 32) {
        n = n + 32;
        m = m >> 32;
    }
    if (m >> 16) {
        n = n + 16;
        m = m >> 16;
    }
    if (m >> 8) {
        n = n + 8;
        m = m >> 8;
    }
    if (m >> 4) {
        n = n + 4;
        m = m >> 4;
    }
    if (m >> 2) {
        n = n + 2;
        m = m >> 2;
    }
    if (m >> 1) {
        n = n + 1;
        m = m >> 1;
    }
    return n + (int)m;
}

// Shifted to the right; what is lost is in the last bit.
wide __craig_float_shifted(wide m, int n) {
    if (n <= 0)
        return m;
    if (n > 127)
        return m != 0;
    return m >> n | ((m & (((wide)1 << n) - 1)) != 0);
}
