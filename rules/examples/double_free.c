extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

int main(void) {
    int *a = malloc(sizeof(int));
    int *b = malloc(sizeof(int));
    if (__VERIFIER_nondet_int()) {
        free(a);
        a = 0;
    }
    free(b);
    free(a);
    return 0;
}
