extern int __VERIFIER_nondet_int(void);
extern void KeAcquireSpinLock(void);
extern void KeReleaseSpinLock(void);

int main(void) {
    int packets, old;
    packets = __VERIFIER_nondet_int();
    do {
        KeAcquireSpinLock();
        old = packets;
        if (__VERIFIER_nondet_int()) {
            KeReleaseSpinLock();
            packets = packets < 1000 ? packets + 1 : 0;
        }
    } while (old != packets);
    KeReleaseSpinLock();
    return 0;
}
