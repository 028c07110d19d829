extern int __VERIFIER_nondet_int(void);
extern void device_get(void);
extern void device_put(void);
extern void device_start(void);

int main(void) {
    int users = __VERIFIER_nondet_int();
    if (users > 1)
        device_get();
    if (users > 0) {
        device_start();
        device_put();
    }
    return 0;
}
