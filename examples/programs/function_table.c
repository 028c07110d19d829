/* Commands are called through a table; only those that are there. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int state = 0;

int start(int argument) {
    state = 1;
    return argument > 0;
}

int stop(int argument) {
    state = 0;
    return argument > 0;
}

int status(int argument) {
    return argument == state;
}

int (*const table[])(int) = {start, stop, status};

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int command = __VERIFIER_nondet_int();
        int result;
        if (command < 0 || command > 2)
            continue;
        result = table[command](__VERIFIER_nondet_int());
        if (result != 0 && result != 1)
            reach_error();
        if (state != 0 && state != 1)
            reach_error();
    }
    return 0;
}
