// returns 0
int g = 1;
int a[3] = {10, 20, 30};

int bump(void) {
    g = g + 1;
    return 100;
}

int main(void) {
    int *p = a;
    int sum = g + bump();
    if (sum != 101 && sum != 102)
        return 1;
    if (*p++ != 10 || *p != 20)
        return 2;
    if (++*p != 21 || (*p)-- != 21 || a[1] != 20)
        return 3;
    int i = 0;
    a[i++] = 7;
    if (i != 1 || a[0] != 7)
        return 4;
    a[i] += a[0] + i;
    if (a[1] != 28)
        return 5;
    int x, y, z;
    x = y = z = 5;
    if (x + y + z != 15)
        return 6;
    a[2] = *(p + 1) = a[1] - 1;
    if (a[2] != 27)
        return 7;
    unsigned char narrow = 250;
    int wide = (narrow += 10);
    if (wide != 4 || narrow != 4)
        return 8;
    x <<= 2;
    x |= 3;
    x ^= 1;
    x %= 16;
    if (x != 6)
        return 9;
    return 0;
}
