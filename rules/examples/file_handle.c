extern int open(const char *path, int flags);
extern int read(int file, void *buffer, unsigned long size);
extern int write(int file, const void *buffer, unsigned long size);
extern int close(int file);

int main(void) {
    char buffer[16];
    int file = open("data", 0);
    if (file < 0)
        return 1;
    int n = read(file, buffer, sizeof buffer);
    if (n > 0)
        write(file, buffer, n);
    close(file);
    return 0;
}
