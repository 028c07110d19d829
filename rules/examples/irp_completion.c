extern int __VERIFIER_nondet_int(void);
struct irp {
    int status;
};
extern void IoMarkIrpPending(struct irp *irp);
extern void IoCompleteRequest(struct irp *irp, int boost);

int Dispatch(struct irp *irp) {
    if (__VERIFIER_nondet_int()) {
        IoMarkIrpPending(irp);
        return 1;
    }
    irp->status = 0;
    IoCompleteRequest(irp, 0);
    return 0;
}

int main(void) {
    struct irp irp;
    return Dispatch(&irp);
}
