extern int __VERIFIER_nondet_int(void);
extern void KeRaiseIrql(int level);
extern void KeLowerIrql(int level);
extern int KeWaitForSingleObject(void *object);

int main(void) {
    int done = 0;
    while (!done) {
        KeRaiseIrql(2);
        done = __VERIFIER_nondet_int();
        KeLowerIrql(0);
        if (!done)
            KeWaitForSingleObject(&done);
    }
    return 0;
}
