// Files, folders and processes of POSIX: whatever they are, and calls that may fail.

typedef __typeof__(sizeof(0)) size_t;

int __craig_any_int(void);
unsigned __craig_any_uint(void);
long __craig_any_long(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
size_t __craig_any_size(void);
void __craig_havoc(void *, size_t count, size_t size);
void __craig_use_text(const char *);
int *__craig___errno_location(void);
void *malloc(size_t);
void free(void *);
int __craig_outcome_failure(void);
int __craig_outcome_success(void);
int __craig_outcome_number(void);
long __craig_outcome_part(size_t);

enum { EINVAL = 22, STAT_SIZE = sizeof(long) == 8 ? 144 : 88, STAT64_SIZE = sizeof(long) == 8 ? 144 : 96 };

static int __craig_described(void *to, size_t size) {
    if (__craig_any_bool())
        return __craig_outcome_failure();
    __craig_havoc(to, size, 1);
    return 0;
}

int __craig_stat(const char *path, void *to) {
    __craig_use_text(path);
    return __craig_described(to, STAT_SIZE);
}

int __craig_lstat(const char *path, void *to) {
    __craig_use_text(path);
    return __craig_described(to, STAT_SIZE);
}

int __craig_fstat(int descriptor, void *to) {
    return __craig_described(to, STAT_SIZE);
}

int __craig_stat64(const char *path, void *to) {
    __craig_use_text(path);
    return __craig_described(to, STAT64_SIZE);
}

int __craig_lstat64(const char *path, void *to) {
    __craig_use_text(path);
    return __craig_described(to, STAT64_SIZE);
}

int __craig_fstat64(int descriptor, void *to) {
    return __craig_described(to, STAT64_SIZE);
}

int __craig_fstatat(int folder, const char *path, void *to, int flags) {
    __craig_use_text(path);
    return __craig_described(to, STAT_SIZE);
}

int __craig_chmod(const char *path, unsigned mode) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_fchmod(int descriptor, unsigned mode) {
    return __craig_outcome_success();
}

int __craig_chown(const char *path, unsigned user, unsigned group) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_fchown(int descriptor, unsigned user, unsigned group) {
    return __craig_outcome_success();
}

// The mask that it replaces.
unsigned __craig_umask(unsigned mask) {
    return __craig_any_uint() & 0777;
}

int __craig_link(const char *from, const char *to) {
    __craig_use_text(from);
    __craig_use_text(to);
    return __craig_outcome_success();
}

int __craig_symlink(const char *from, const char *to) {
    __craig_use_text(from);
    __craig_use_text(to);
    return __craig_outcome_success();
}

// The text does not end with a null character.
long __craig_readlink(const char *path, char *to, size_t size) {
    long n;
    __craig_use_text(path);
    n = __craig_outcome_part(size);
    if (n > 0)
        __craig_havoc(to, (size_t)n, 1);
    return n;
}

int __craig_mkfifo(const char *path, unsigned mode) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_truncate(const char *path, long length) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_fdatasync(int descriptor) {
    return __craig_outcome_success();
}

void __craig_sync(void) {
}

int __craig_flock(int descriptor, int operation) {
    return __craig_outcome_success();
}

int __craig_openat(int folder, const char *path, int flags, ...) {
    __craig_use_text(path);
    return __craig_outcome_number();
}

int __craig_unlinkat(int folder, const char *path, int flags) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

int __craig_mkdirat(int folder, const char *path, unsigned mode) {
    __craig_use_text(path);
    return __craig_outcome_success();
}

static _Bool __craig_name_made(char *name) {
    size_t n = 0, i;
    while (name[n])
        n++;
    for (i = 1; i <= 6; i++)
        if (n < i || name[n - i] != 'X') {
            *__craig___errno_location() = EINVAL;
            return 0;
        }
    for (i = 1; i <= 6; i++) {
        char c = __craig_any_char();
        if (!(('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z')))
            c = 'a';
        name[n - i] = c;
    }
    return 1;
}

int __craig_mkstemp(char *name) {
    return __craig_name_made(name) ? __craig_outcome_number() : -1;
}

char *__craig_mkdtemp(char *name) {
    if (!__craig_name_made(name))
        return 0;
    return __craig_outcome_success() == 0 ? name : 0;
}

// A folder that is read: its object holds the entry that was read last.
struct __craig_entry {
    unsigned long number;
    long next;
    unsigned short length;
    unsigned char kind;
    char name[256];
};

void *__craig_opendir(const char *path) {
    struct __craig_entry *folder;
    __craig_use_text(path);
    if (__craig_any_bool()) {
        __craig_outcome_failure();
        return 0;
    }
    folder = malloc(sizeof *folder);
    return folder;
}

void *__craig_readdir(void *folder) {
    struct __craig_entry *entry = folder;
    unsigned char n = (unsigned char)__craig_any_int();
    if (__craig_any_bool()) {
        if (__craig_any_bool())
            __craig_outcome_failure();
        return 0;
    }
    __craig_havoc(entry, sizeof *entry, 1);
    entry->name[n] = 0;
    return entry;
}

int __craig_closedir(void *folder) {
    free(folder);
    return __craig_outcome_success();
}

void __craig_rewinddir(void *folder) {
    *(char *)folder = 0;
}

// A process, or -1.
int __craig_wait(int *status) {
    int process = __craig_any_int();
    if (process <= 0)
        return __craig_outcome_failure();
    if (status)
        *status = __craig_any_int();
    return process;
}

int __craig_waitpid(int which, int *status, int options) {
    int process = __craig_any_int();
    if (process < 0)
        return __craig_outcome_failure();
    // WNOHANG
    if (process == 0 && !(options & 1))
        process = 1;
    if (process > 0 && status)
        *status = __craig_any_int();
    return process;
}

// These return only if they fail.
int __craig_execv(const char *path, char *const *arguments) {
    __craig_use_text(path);
    return __craig_outcome_failure();
}

int __craig_execvp(const char *path, char *const *arguments) {
    __craig_use_text(path);
    return __craig_outcome_failure();
}

int __craig_execve(const char *path, char *const *arguments, char *const *environment) {
    __craig_use_text(path);
    return __craig_outcome_failure();
}

int __craig_execl(const char *path, const char *first, ...) {
    __craig_use_text(path);
    return __craig_outcome_failure();
}

int __craig_execlp(const char *path, const char *first, ...) {
    __craig_use_text(path);
    return __craig_outcome_failure();
}

int __craig_setuid(unsigned user) {
    return __craig_outcome_success();
}

int __craig_setgid(unsigned group) {
    return __craig_outcome_success();
}

int __craig_seteuid(unsigned user) {
    return __craig_outcome_success();
}

int __craig_setegid(unsigned group) {
    return __craig_outcome_success();
}

int __craig_setsid(void) {
    return __craig_outcome_number();
}

int __craig_setpgid(int process, int group) {
    return __craig_outcome_success();
}

int __craig_getpgrp(void) {
    int group = __craig_any_int();
    return group > 0 ? group : 1;
}

int __craig_getpagesize(void) {
    return 4096;
}

// The seconds that were left of the alarm before.
unsigned __craig_alarm(unsigned seconds) {
    return __craig_any_uint();
}

// Of a resource: two numbers.
int __craig_getrlimit(int resource, void *to) {
    return __craig_described(to, 2 * sizeof(long));
}

int __craig_setrlimit(int resource, const void *limits) {
    return __craig_outcome_success();
}

int __craig_getrusage(int who, void *to) {
    return __craig_described(to, 18 * sizeof(long));
}
