// returns 0
int counter(void) {
    static int n = 5;
    static int *self = &n;
    return ++*self;
}

int shadow = 1;

int *keep(int *p) { return p; }

int main(void) {
    if (counter() != 6 || counter() != 7)
        return 1;
    int shadow = 2;
    {
        extern int shadow;
        if (shadow != 1)
            return 2;
    }
    if (shadow != 2)
        return 3;
    goto inside;
    {
        int skipped = 3;
        int *p;
    inside:
        p = &skipped;
        *p = 4;
        if (skipped != 4)
            return 4;
    }
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int fresh = i;
        sum += *keep(&fresh);
        fresh = 100;
    }
    if (sum != 3)
        return 5;
    int *literal = (int[]){1, 2, 3};
    literal[1] = 9;
    return literal[0] + literal[1] + literal[2] - 13;
}
