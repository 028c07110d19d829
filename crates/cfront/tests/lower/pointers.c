// returns 0
#define offset_of(type, member) ((unsigned long)&((type *)0)->member)

struct list {
    struct list *next, *previous;
};
struct item {
    int key;
    struct list link;
    int data[2];
};

void set(int *p, int value) { *p = value; }

void advance(int **p) { ++*p; }

int fact(int n, int *depth) {
    int here = *depth + 1;
    if (n <= 1) {
        *depth = here;
        return 1;
    }
    int below = here;
    int result = n * fact(n - 1, &below);
    *depth = below;
    return result;
}

int main(void) {
    int x, *p = &x, **pp = &p;
    set(*pp, 7);
    if (x != 7)
        return 1;
    int a[4] = {1, 2, 3, 4};
    p = a;
    advance(&p);
    if (*p != 2 || p - a != 1 || p[-1] != 1 || p[2] != 4)
        return 2;
    struct item item = {5, {0, 0}, {6, 7}};
    struct list *link = &item.link;
    struct item *back = (struct item *)((char *)link - offset_of(struct item, link));
    if (back->key != 5 || back->data[1] != 7)
        return 3;
    back->data[0] = 9;
    if (item.data[0] != 9)
        return 4;
    int depth = 0;
    if (fact(5, &depth) != 120 || depth != 5)
        return 5;
    int grid[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            grid[i][j] = i * 4 + j;
    int(*row)[4] = grid + 1;
    if ((*row)[2] != 6 || grid[2][3] != 11 || *(*(grid + 2) + 1) != 9)
        return 6;
    unsigned char *bytes = (unsigned char *)&x;
    bytes[1] = 1;
    if (x != 263)
        return 7;
    unsigned long address = (unsigned long)&a[2];
    if (*(int *)address != 3)
        return 8;
    char small[3] = {1, 2, 3}, *end = small + 3;
    int sum = 0;
    while (end > small)
        sum += *--end;
    return sum - 6;
}
