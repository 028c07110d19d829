/* Gulavani and others, SYNERGY, figure 4: like figure 1, but the loop works on a neighbour of a[0]. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void foo(int a[]) {
    int i = 0;
    int j = 1;
    a[j] = 0;
    while (i < 1000) {
        a[j] = a[j] + i;
        i = i + 1;
    }
    if (a[0] <= 0)
        reach_error();
}

int main(void) {
    int a[2];
    a[0] = __VERIFIER_nondet_int();
    foo(a);
    return 0;
}
