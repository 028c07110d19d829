extern int __VERIFIER_nondet_int(void);
struct irp {
    int status;
};
extern void IoMarkIrpPending(struct irp *irp);
extern void IoCompleteRequest(struct irp *irp, int boost);

int Dispatch(struct irp *irp) {
    int urgent = __VERIFIER_nondet_int();
    if (urgent > 100) {
        irp->status = 0;
        IoCompleteRequest(irp, 0);
    }
    if (urgent > 50)
        IoCompleteRequest(irp, 0);
    else
        IoMarkIrpPending(irp);
    return 0;
}

int main(void) {
    struct irp irp;
    return Dispatch(&irp);
}
