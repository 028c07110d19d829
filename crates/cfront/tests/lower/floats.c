// returns 0
double half(double x) { return x / 2; }

int main(void) {
    float f = 0.1f;
    double d = f;
    if (d == 0.1 || (float)d != f)
        return 1;
    if (half(3) != 1.5 || (int)-1.9 != -1 || (unsigned char)200.7 != 200)
        return 2;
    double nan = 0.0 / 0.0;
    if (nan == nan || !(nan != nan) || nan < 1 || nan >= 1)
        return 3;
    if (!__builtin_isnan(nan))
        return 4;
    union {
        float f;
        unsigned u;
    } bits = {.f = 1.0f};
    if (bits.u != 0x3f800000)
        return 5;
    double *p = &d;
    *p += 1;
    return d > 1.09 && d < 1.11 && !!f ? 0 : 6;
}
