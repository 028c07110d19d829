/* A file is read only while it is open, and is closed exactly once on every way out. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { CLOSED, OPEN };

int file = CLOSED;

int open_file(void) {
    if (file == OPEN)
        reach_error();
    if (__VERIFIER_nondet_int())
        return -1;
    file = OPEN;
    return 0;
}

int read_file(void) {
    if (file != OPEN)
        reach_error();
    return __VERIFIER_nondet_int();
}

void close_file(void) {
    if (file != OPEN)
        reach_error();
    file = CLOSED;
}

int main(void) {
    int result = -1;
    int attempts = 0;
    while (open_file() != 0) {
        if (++attempts == 3)
            goto out;
    }
    for (;;) {
        int bytes = read_file();
        if (bytes == 0) {
            result = 0;
            break;
        }
        if (bytes < 0)
            break;
    }
    close_file();
out:
    if (file != CLOSED)
        reach_error();
    return result;
}
