extern int __VERIFIER_nondet_int(void);
extern void *kmalloc(unsigned long size);
extern void memset_of(void *target, int value);

int main(void) {
    void *page = kmalloc(4096);
    memset_of(page, 0);
    return 0;
}
