// engine: pdr-variables  verdict: safe
// engine: pdr  verdict: safe
// The lock is taken and released in variables; what the buffers hold decides only which way is taken.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

struct request {
    int kind;
    int length;
    char data[16];
};

int main(void) {
    struct request queue[4];
    int locked = 0, at = 0;
    while (__VERIFIER_nondet_int()) {
        struct request *request = &queue[at];
        if (locked)
            __VERIFIER_error();
        locked = 1;
        if (request->kind == 3) {
            request->length = request->length == 16 ? 0 : 1;
            locked = 0;
        } else {
            request->kind = 3;
            if (locked)
                locked = 0;
        }
        if (locked)
            __VERIFIER_error();
        at = at == 3 ? 0 : at + 1;
    }
    return 0;
}
