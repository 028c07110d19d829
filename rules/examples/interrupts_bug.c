extern int __VERIFIER_nondet_int(void);
extern void local_irq_disable(void);
extern void local_irq_enable(void);
extern void schedule(void);

static void critical(int deep) {
    local_irq_disable();
    if (deep)
        local_irq_disable();
    local_irq_enable();
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        critical(__VERIFIER_nondet_int());
        schedule();
    }
    return 0;
}
