// engine: pdr-variables  verdict: safe  loops skipped >= 1
// check: error
// The number of users is kept in a variable. What functions without a body do to objects in between takes many loops, which
// leave nothing behind where memory is forgotten.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

struct node {
    struct node *next;
    int values[40];
    char *name;
};

extern void look_at(struct node *node);

int main(void) {
    struct node node = {0};
    int users = 1;
    while (__VERIFIER_nondet_int()) {
        int got = 0;
        if (__VERIFIER_nondet_int()) {
            users++;
            got = 1;
        }
        look_at(&node);
        if (got) {
            if (users <= 1)
                __VERIFIER_error();
            users--;
        }
    }
    return node.values[3];
}
