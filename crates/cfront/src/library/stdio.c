// <stdio.h>: streams with arbitrary contents. Formatted output is in format.c, formatted input in scan.c.

typedef __typeof__(sizeof(0)) size_t;
typedef struct __craig_stream stream;

int __craig_any_int(void);
long __craig_any_long(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);
void __craig_require(_Bool);
// Writes any values to that many elements of that size.
void __craig_havoc(void *, size_t count, size_t size);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
int *__craig___errno_location(void);

static void __craig_failed(void) {
    int error = __craig_any_int();
    if (error <= 0)
        error = 1;
    *__craig___errno_location() = error;
}

static stream *__craig_open_stream(void) {
    stream *opened;
    if (__craig_any_bool()) {
        __craig_failed();
        return 0;
    }
    opened = malloc(256);
    __craig_assume(opened != 0);
    *(char *)opened = 1;
    return opened;
}

// A stream is an object of the library's, and exists until it is closed.
static void __craig_use(stream *s) {
    char state = *(const char *)s;
    (void)state;
}

// The text is read.
static void __craig_use_text(const char *text) {
    while (*text)
        text++;
}

stream *__craig_fopen(const char *path, const char *mode) {
    return __craig_open_stream();
}

stream *__craig_fdopen(int descriptor, const char *mode) {
    return __craig_open_stream();
}

stream *__craig_tmpfile(void) {
    return __craig_open_stream();
}

stream *__craig_popen(const char *command, const char *mode) {
    return __craig_open_stream();
}

stream *__craig_fmemopen(void *buffer, size_t size, const char *mode) {
    return __craig_open_stream();
}

stream *__craig_freopen(const char *path, const char *mode, stream *s) {
    if (__craig_any_bool()) {
        __craig_failed();
        return 0;
    }
    return s;
}

// 0, or EOF after a failure.
static int __craig_result(void) {
    if (__craig_any_bool())
        return 0;
    __craig_failed();
    return -1;
}

// Not so the standard streams, which begin with a zero.
int __craig_fclose(stream *s) {
    if (*(const char *)s == 1)
        free(s);
    return __craig_result();
}

int __craig_pclose(stream *s) {
    free(s);
    return __craig_any_int();
}

int __craig_fflush(stream *s) {
    return __craig_result();
}

int __craig_remove(const char *path) {
    return __craig_result();
}

int __craig_rename(const char *from, const char *to) {
    return __craig_result();
}

int __craig_fseek(stream *s, long offset, int from) {
    __craig_use(s);
    return __craig_result();
}

long __craig_ftell(stream *s) {
    __craig_use(s);
    long at = __craig_any_long();
    if (at < -1)
        at = -1;
    return at;
}

void __craig_rewind(stream *s) {
    __craig_use(s);
}

int __craig_feof(stream *s) {
    __craig_use(s);
    return __craig_any_int();
}

int __craig_ferror(stream *s) {
    __craig_use(s);
    return __craig_any_int();
}

void __craig_clearerr(stream *s) {
    __craig_use(s);
}

int __craig_fileno(stream *s) {
    __craig_use(s);
    int descriptor = __craig_any_int();
    if (descriptor < -1)
        descriptor = -1;
    return descriptor;
}

void __craig_setbuf(stream *s, char *buffer) {
    __craig_use(s);
}

int __craig_setvbuf(stream *s, char *buffer, int mode, size_t size) {
    __craig_use(s);
    return __craig_any_int();
}

// A byte, or EOF.
static int __craig_input(void) {
    int c = __craig_any_int();
    if (c < -1 || c > 255)
        c = -1;
    return c;
}

int __craig_getchar(void) {
    return __craig_input();
}

int __craig_getchar_unlocked(void) {
    return __craig_input();
}

int __craig_fgetc(stream *s) {
    __craig_use(s);
    return __craig_input();
}

int __craig_getc(stream *s) {
    __craig_use(s);
    return __craig_input();
}

int __craig__IO_getc(stream *s) {
    __craig_use(s);
    return __craig_input();
}

int __craig_getc_unlocked(stream *s) {
    __craig_use(s);
    return __craig_input();
}

int __craig_ungetc(int c, stream *s) {
    __craig_use(s);
    if (c == -1 || __craig_any_bool())
        return -1;
    return (unsigned char)c;
}

// The character that was written, or EOF.
static int __craig_output(int c) {
    if (__craig_any_bool())
        return (unsigned char)c;
    __craig_failed();
    return -1;
}

int __craig_putchar(int c) {
    return __craig_output(c);
}

int __craig_putchar_unlocked(int c) {
    return __craig_output(c);
}

int __craig_fputc(int c, stream *s) {
    __craig_use(s);
    return __craig_output(c);
}

int __craig_putc(int c, stream *s) {
    __craig_use(s);
    return __craig_output(c);
}

int __craig__IO_putc(int c, stream *s) {
    __craig_use(s);
    return __craig_output(c);
}

// A number that is not negative, or EOF.
static int __craig_written(void) {
    int result = __craig_any_int();
    if (result < -1)
        result = -1;
    return result;
}

int __craig_puts(const char *text) {
    __craig_use_text(text);
    return __craig_written();
}

int __craig_fputs(const char *text, stream *s) {
    __craig_use(s);
    __craig_use_text(text);
    return __craig_written();
}

void __craig_perror(const char *text) {
}

// At most a line, and at most `size - 1` characters; the text ends with a zero.
char *__craig_fgets(char *to, int size, stream *s) {
    __craig_use(s);
    int n = 0;
    char c = 0;
    if (size <= 0)
        return 0;
    while (n < size - 1 && c != '\n' && __craig_any_bool()) {
        c = __craig_any_char();
        to[n] = c;
        n++;
    }
    if (size > 1 && (n == 0 || __craig_any_bool())) {
        __craig_failed();
        return 0;
    }
    to[n] = 0;
    return to;
}

char *__craig_gets(char *to) {
    size_t n = 0;
    while (__craig_any_bool()) {
        char c = __craig_any_char();
        if (c == '\n')
            c = 'x';
        to[n] = c;
        n++;
    }
    if (n == 0 && __craig_any_bool())
        return 0;
    to[n] = 0;
    return to;
}

// The bytes of a whole line, in memory of its own.
long __craig_getline(char **line, size_t *size, stream *s) {
    __craig_use(s);
    size_t length = __craig_any_size();
    char *memory;
    if (__craig_any_bool()) {
        __craig_failed();
        return -1;
    }
    if (!(0 < length && length <= 1048576))
        length = 1;
    if (!*line || *size <= length) {
        free(*line);
        memory = malloc(length + 1);
        __craig_assume(memory != 0);
        *line = memory;
        *size = length + 1;
    }
    __craig_havoc(*line, length, 1);
    (*line)[length] = 0;
    return (long)length;
}

// The last element may be read in part.
size_t __craig_fread(void *to, size_t size, size_t count, stream *s) {
    __craig_use(s);
    size_t n = __craig_any_size();
    if (size == 0 || count == 0)
        return 0;
    if (n > count)
        n = count;
    if (n < count && size > 1 && __craig_any_bool())
        __craig_havoc(to, n + 1, size);
    else
        __craig_havoc(to, n, size);
    return n;
}

size_t __craig_fwrite(const void *from, size_t size, size_t count, stream *s) {
    __craig_use(s);
    size_t n = __craig_any_size(), i = __craig_any_size();
    if (size == 0)
        return 0;
    // Any byte of what is to be written.
    if (i < size * count) {
        char byte = ((const char *)from)[i];
        (void)byte;
    }
    if (n > count)
        n = count;
    return n;
}

char *__craig_tmpnam(char *to) {
    static char buffer[20];
    size_t n = __craig_any_size(), i;
    if (__craig_any_bool())
        return 0;
    if (!to)
        to = buffer;
    if (!(0 < n && n < 20))
        n = 1;
    for (i = 0; i < n; i++)
        to[i] = __craig_any_char();
    to[n] = 0;
    return to;
}
