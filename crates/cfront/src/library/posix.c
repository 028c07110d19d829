// The calls of POSIX that programs make most. Files and processes are arbitrary.

typedef __typeof__(sizeof(0)) size_t;

int __craig_any_int(void);
unsigned __craig_any_uint(void);
long __craig_any_long(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);
// Writes any values to that many elements of that size.
void __craig_havoc(void *, size_t count, size_t size);
int *__craig___errno_location(void);
void __craig_use_text(const char *);

// Numbers as networks order their bytes.
unsigned __craig_htonl(unsigned x) {
    return __builtin_bswap32(x);
}

unsigned __craig_ntohl(unsigned x) {
    return __builtin_bswap32(x);
}

unsigned short __craig_htons(unsigned short x) {
    return __builtin_bswap16(x);
}

unsigned short __craig_ntohs(unsigned short x) {
    return __builtin_bswap16(x);
}

int __craig_outcome_failure(void) {
    int error = __craig_any_int();
    if (error <= 0)
        error = 1;
    *__craig___errno_location() = error;
    return -1;
}

int __craig_outcome_success(void) {
    return __craig_any_bool() ? 0 : __craig_outcome_failure();
}

// A number that is not negative, such as a file descriptor or a process.
int __craig_outcome_number(void) {
    int number = __craig_any_int();
    if (number < -1)
        number = -1;
    return number == -1 ? __craig_outcome_failure() : number;
}

// How much of it was done.
long __craig_outcome_part(size_t n) {
    long done = __craig_any_long();
    if (__craig_any_bool())
        return __craig_outcome_failure();
    if (!(done >= 0 && (size_t)done <= n))
        done = 0;
    return done;
}

long __craig_read(int descriptor, void *to, size_t n) {
    long done = __craig_outcome_part(n);
    if (done > 0)
        __craig_havoc(to, (size_t)done, 1);
    return done;
}

long __craig_pread(int descriptor, void *to, size_t n, long at) {
    long done = __craig_outcome_part(n);
    if (done > 0)
        __craig_havoc(to, (size_t)done, 1);
    return done;
}

long __craig_getrandom(void *to, size_t n, unsigned flags) {
    long done = __craig_outcome_part(n);
    if (done > 0)
        __craig_havoc(to, (size_t)done, 1);
    return done;
}

long __craig_recv(int socket, void *to, size_t n, int flags) {
    long done = __craig_outcome_part(n);
    if (done > 0)
        __craig_havoc(to, (size_t)done, 1);
    return done;
}

// Any byte of what is to be written.
void __craig_outcome_look(const void *from, size_t n) {
    size_t i = __craig_any_size();
    if (i < n) {
        char byte = ((const char *)from)[i];
        (void)byte;
    }
}

long __craig_write(int descriptor, const void *from, size_t n) {
    __craig_outcome_look(from, n);
    return __craig_outcome_part(n);
}

long __craig_pwrite(int descriptor, const void *from, size_t n, long at) {
    __craig_outcome_look(from, n);
    return __craig_outcome_part(n);
}

long __craig_send(int socket, const void *from, size_t n, int flags) {
    __craig_outcome_look(from, n);
    return __craig_outcome_part(n);
}

int __craig_open(const char *path, int flags, ...) {
    __craig_use_text(path);
    return __craig_outcome_number();
}

int __craig_open64(const char *path, int flags, ...) {
    __craig_use_text(path);
    return __craig_outcome_number();
}

int __craig_creat(const char *path, unsigned mode) {
    __craig_use_text(path);
    return __craig_outcome_number();
}

int __craig_close(int descriptor) {
    return __craig_outcome_success();
}

int __craig_dup(int descriptor) {
    return __craig_outcome_number();
}

int __craig_dup2(int descriptor, int as) {
    return __craig_any_bool() ? as : __craig_outcome_failure();
}

// No descriptor is negative.
int __craig_fcntl(int descriptor, int command, ...) {
    if (descriptor < 0) {
        *__craig___errno_location() = 9;
        return -1;
    }
    return __craig_outcome_number();
}

int __craig_fcntl64(int descriptor, int command, ...) {
    return __craig_fcntl(descriptor, command);
}

int __craig_ioctl(int descriptor, unsigned long request, ...) {
    if (descriptor < 0) {
        *__craig___errno_location() = 9;
        return -1;
    }
    return __craig_any_int();
}

int __craig_fsync(int descriptor) {
    return __craig_outcome_success();
}

int __craig_ftruncate(int descriptor, long length) {
    return __craig_outcome_success();
}

long __craig_lseek(int descriptor, long offset, int from) {
    long at = __craig_any_long();
    if (at < -1)
        at = -1;
    return at == -1 ? __craig_outcome_failure() : at;
}

int __craig_pipe(int ends[2]) {
    int read_end = __craig_any_int(), write_end = __craig_any_int();
    if (__craig_any_bool())
        return __craig_outcome_failure();
    if (read_end < 0 || write_end < 0 || read_end == write_end) {
        read_end = 3;
        write_end = 4;
    }
    ends[0] = read_end;
    ends[1] = write_end;
    return 0;
}

int __craig_unlink(const char *path) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_rmdir(const char *path) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_mkdir(const char *path, unsigned mode) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_chdir(const char *path) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_access(const char *path, int mode) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_isatty(int descriptor) {
    return __craig_any_bool();
}

int __craig_getpid(void) {
    int id = __craig_any_int();
    if (id <= 0)
        id = 1;
    return id;
}

int __craig_getppid(void) {
    int id = __craig_any_int();
    if (id < 0)
        id = 0;
    return id;
}

unsigned __craig_getuid(void) {
    return __craig_any_uint();
}

unsigned __craig_geteuid(void) {
    return __craig_any_uint();
}

unsigned __craig_getgid(void) {
    return __craig_any_uint();
}

unsigned __craig_getegid(void) {
    return __craig_any_uint();
}

// The seconds that were not slept.
unsigned __craig_sleep(unsigned seconds) {
    unsigned left = __craig_any_uint();
    if (left > seconds)
        left = 0;
    return left;
}

int __craig_usleep(unsigned microseconds) {
    return __craig_outcome_success();
}

long __craig_sysconf(int name) {
    long value = __craig_any_long();
    if (value < -1)
        value = -1;
    return value;
}

int __craig_sched_yield(void) {
    return __craig_outcome_success();
}

char *__craig_getcwd(char *to, size_t size) {
    size_t n = __craig_any_size(), i;
    if (!to || __craig_any_bool()) {
        __craig_outcome_failure();
        return 0;
    }
    if (size < 2) {
        __craig_outcome_failure();
        return 0;
    }
    if (n < 1 || n >= size)
        n = 1;
    for (i = 0; i < n; i++) {
        char c = __craig_any_char();
        if (c == 0)
            c = 'x';
        to[i] = c;
    }
    to[n] = 0;
    return to;
}

int __craig_gethostname(char *to, size_t size) {
    if (__craig_any_bool())
        return __craig_outcome_failure();
    __craig_havoc(to, size, 1);
    return 0;
}

static char __craig_no_locale[2] = "C";

// The only locale is "C", which other names may stand for.
char *__craig_setlocale(int category, const char *name) {
    _Bool is_known;
    if (!name)
        return __craig_no_locale;
    is_known = name[0] == 'C' && name[1] == 0;
    return is_known || __craig_any_bool() ? __craig_no_locale : 0;
}

static char __craig_point[2] = ".", __craig_no_text[1] = "";

static struct {
    char *texts[10], numbers[14];
} __craig_conventions;

void *__craig_localeconv(void) {
    int i;
    __craig_conventions.texts[0] = __craig_point;
    for (i = 1; i < 10; i++)
        __craig_conventions.texts[i] = __craig_no_text;
    for (i = 0; i < 14; i++)
        __craig_conventions.numbers[i] = 127;
    return &__craig_conventions;
}

// <error.h> and <err.h>: messages, and the end of the program.
void exit(int);

void __craig_error(int status, int number, const char *format, ...) {
    __craig_use_text(format);
    if (status)
        exit(status);
}

void __craig_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    __craig_use_text(file);
    __craig_use_text(format);
    if (status)
        exit(status);
}

void __craig_err(int status, const char *format, ...) {
    if (format)
        __craig_use_text(format);
    exit(status);
}

void __craig_errx(int status, const char *format, ...) {
    if (format)
        __craig_use_text(format);
    exit(status);
}

void __craig_warn(const char *format, ...) {
    if (format)
        __craig_use_text(format);
}

void __craig_warnx(const char *format, ...) {
    if (format)
        __craig_use_text(format);
}
