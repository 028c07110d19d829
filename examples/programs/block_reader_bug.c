/* Blocks are read into a buffer whose contents do not matter here. After a failure the device is closed
   twice. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define BLOCK 4096
#define LAST 77

static int open_devices;

/* Some bytes, and how many of them count; a negative number is a failure. */
static int read_block(char *block, unsigned size) {
    for (unsigned i = 0; i < size; i++)
        block[i] = (char)__VERIFIER_nondet_int();
    return __VERIFIER_nondet_int();
}

static void close_device(void) {
    if (open_devices != 1)
        reach_error();
    open_devices--;
}

int main(void) {
    char block[BLOCK];
    open_devices = 1;
    for (;;) {
        int got = read_block(block, BLOCK);
        if (got == LAST)
            break;
        if (got < 0) {
            close_device();
            break;
        }
    }
    close_device();
    return 0;
}
