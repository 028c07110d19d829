/* Like array_maximum.c, but the last element is left out. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 5

int main(void) {
    int a[N];
    int i, maximum;
    for (i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    maximum = a[0];
    for (i = 1; i < N - 1; i++)
        if (a[i] > maximum)
            maximum = a[i];
    for (i = 0; i < N; i++)
        if (a[i] > maximum)
            reach_error();
    return 0;
}
