extern int __VERIFIER_nondet_int(void);
static int uses;

int module_init(void) {
    return __VERIFIER_nondet_int() ? 0 : -1;
}

void module_use(void) {
    uses = uses < 100 ? uses + 1 : 0;
}

void module_exit(void) {
    uses = 0;
}

int main(void) {
    void (*use)(void) = module_use;
    if (module_init() != 0)
        return 1;
    for (int i = 0; i < 3; i++)
        use();
    module_exit();
    use();
    return 0;
}
