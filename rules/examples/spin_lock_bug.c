extern int __VERIFIER_nondet_int(void);
extern void KeAcquireSpinLock(void);
extern void KeReleaseSpinLock(void);

int main(void) {
    KeAcquireSpinLock();
    if (__VERIFIER_nondet_int() == 17)
        KeReleaseSpinLock();
    KeAcquireSpinLock();
    KeReleaseSpinLock();
    return 0;
}
