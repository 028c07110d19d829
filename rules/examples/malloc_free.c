extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

int main(void) {
    int *left = malloc(sizeof(int));
    int *right = 0;
    if (__VERIFIER_nondet_int())
        right = malloc(sizeof(int));
    free(left);
    free(right);
    return 0;
}
