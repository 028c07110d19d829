extern int __VERIFIER_nondet_int(void);
extern void device_get(void);
extern void device_put(void);
extern void device_start(void);

int main(void) {
    int users = 0;
    if (__VERIFIER_nondet_int()) {
        device_get();
        users = 1;
    }
    if (users > 0) {
        device_start();
        device_put();
    }
    return 0;
}
