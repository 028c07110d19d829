// returns 0
// assumes 'cos' is at most 2 units in the last place off
// assumes 'realloc' of an object to no bytes frees it and returns null, as glibc has it
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Output can fail. */
static int output(void) {
    char *format = "%s|%05d\n";
    int first = printf("%hhd %zu %02X", 256, sizeof(int), 0xABu);
    int second = printf(format, "abc", 3), third = fprintf(stderr, "%s", "x");
    if (first >= 0 && first != 6)
        return 1;
    if ((second >= 0 && second != 10) || (third >= 0 && third != 1))
        return 2;
    return 0;
}

static int numbers(void) {
    double angle = 45, base = 4, quarter = 0.25, nine = 9;
    if (fabs(cos(angle) - 0.5253219888177297) > 1e-15 || log2(8) != 3 || pow(base, 0.5) != 2)
        return 1;
    if (log10f(1000) != 3 || fabs(exp(1) - 2.718281828459045) > 1e-14 || fabsf(sinf(1) - 0.84147f) > 1e-4f)
        return 2;
    if (sqrt(nine) != 3 || sqrtf(2) != 0x1.6a09e6p0f || sqrt(2) != 0x1.6a09e667f3bcdp0 || sqrt(quarter) != 0.5)
        return 3;
    if (fma(0x1.0000000000001p0, 0x1.0000000000001p0, -1) != 0x1.00000000000008p-51 || rint(2.5) != 2)
        return 4;
    if (nextafter(1, 2) != 0x1.0000000000001p0 || nextafterf(1, 0) != 0x1.fffffep-1f || nextafter(0, -1) != -0x1p-1074)
        return 5;
    return 0;
}

static int others(void) {
    int x;
    time_t early = 1000000;
    char *memory = malloc(4), date[26];
    if (sscanf("x", "%d", &x) < 0 || sscanf(" \t", "%d", &x) != -1)
        return 1;
    if (!ctime(&early) || ctime_r(&early, date) != date || date[25])
        return 2;
    if (fcntl(-1, F_GETFD) != -1 || errno != EBADF)
        return 3;
    if (memory && realloc(memory, 0))
        return 4;
    return 0;
}

int main(void) {
    int result = output();
    if (result)
        return result;
    result = numbers();
    if (result)
        return 10 + result;
    result = others();
    return result ? 20 + result : 0;
}
