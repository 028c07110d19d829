/* Blocks are read into a buffer whose contents do not matter here; what matters is that the device is
   closed exactly once, however the reading ends. The function that fills the buffer is not in this file. */
extern void reach_error(void);
extern int read_block(char *block, unsigned size);

#define BLOCK 4096
#define LAST 77

static int open_devices;

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
            return 1;
        }
    }
    close_device();
    return 0;
}
