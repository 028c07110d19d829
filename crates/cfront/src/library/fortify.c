// Functions that glibc's headers call where _FORTIFY_SOURCE is defined: those without `_chk`, of which it is checked
// that they stay within `room` bytes; -1 is for a size that is not known.

typedef __typeof__(sizeof(0)) size_t;
typedef struct __craig_stream stream;

void __craig_require(_Bool);
size_t __craig_fread(void *, size_t, size_t, stream *);
char *__craig_fgets(char *, int, stream *);
long __craig_read(int, void *, size_t);
long __craig_pread(int, void *, size_t, long);
long __craig_recv(int, void *, size_t, int);
char *__craig_getcwd(char *, size_t);
int __craig_gethostname(char *, size_t);
char *__craig_gets(char *);

size_t __craig___fread_chk(void *to, size_t room, size_t size, size_t count, stream *s) {
    size_t bytes;
    __craig_require(!__builtin_mul_overflow(size, count, &bytes) && bytes <= room);
    return __craig_fread(to, size, count, s);
}

char *__craig___fgets_chk(char *to, size_t room, int size, stream *s) {
    __craig_require(size <= 0 || (size_t)size <= room);
    return __craig_fgets(to, size, s);
}

char *__craig___gets_chk(char *to, size_t room) {
    return __craig_gets(to);
}

long __craig___read_chk(int descriptor, void *to, size_t size, size_t room) {
    __craig_require(size <= room);
    return __craig_read(descriptor, to, size);
}

long __craig___pread_chk(int descriptor, void *to, size_t size, long at, size_t room) {
    __craig_require(size <= room);
    return __craig_pread(descriptor, to, size, at);
}

long __craig___recv_chk(int socket, void *to, size_t size, size_t room, int flags) {
    __craig_require(size <= room);
    return __craig_recv(socket, to, size, flags);
}

char *__craig___getcwd_chk(char *to, size_t size, size_t room) {
    __craig_require(size <= room);
    return __craig_getcwd(to, size);
}

int __craig___gethostname_chk(char *to, size_t size, size_t room) {
    __craig_require(size <= room);
    return __craig_gethostname(to, size);
}
