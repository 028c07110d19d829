/* Like string_copy.c, but the room for the terminator is forgotten. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 16

char target[SIZE];

int main(void) {
    int i = 0;
    char c;
    do {
        c = (char)__VERIFIER_nondet_int();
        if (i == SIZE)
            c = 0;
        if (i < 0 || i >= SIZE)
            reach_error();
        target[i] = c;
        i++;
    } while (c != 0);
    if (target[i - 1] != 0)
        reach_error();
    return 0;
}
