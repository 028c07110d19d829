// <stdio.h>: files and what is done with streams, which are in stream.c. Formatted output is in format.c, formatted input in scan.c.

typedef __typeof__(sizeof(0)) size_t;
typedef struct __craig_stream stream;

// Those that `getchar` and `putchar` mean.
extern stream *__craig_stdin;

int __craig_any_int(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
// Whether what is written to the standard output gets there.
_Bool __craig_output_arrives(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);
void __craig_require(_Bool);
// Writes any values to that many elements of that size.
void __craig_havoc(void *, size_t count, size_t size);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);

// In stream.c.
void __craig_stream_error(void);
void __craig_stream_use(stream *);
stream *__craig_stream_opened(const char *mode);
void __craig_stream_close(stream *);
_Bool __craig_stream_reads(stream *);
void __craig_stream_stop(stream *);
void __craig_stream_took(stream *);
_Bool __craig_stream_ended(stream *);
_Bool __craig_stream_followed(stream *);
_Bool __craig_stream_in_memory(stream *);
// Whether the program calls fmemopen.
_Bool __craig_memory_streams(void);
void __craig_stream_moved(stream *, size_t);
int __craig_stream_get(stream *);
_Bool __craig_stream_sent(stream *, size_t);
int __craig_stream_put(int, stream *);

// In text.c.
void __craig_use_text(const char *);

stream *__craig_fopen(const char *path, const char *mode) {
    __craig_use_text(path);
    __craig_use_text(mode);
    return __craig_stream_opened(mode);
}

stream *__craig_fopen64(const char *path, const char *mode) {
    __craig_use_text(path);
    __craig_use_text(mode);
    return __craig_stream_opened(mode);
}

stream *__craig_fdopen(int descriptor, const char *mode) {
    __craig_use_text(mode);
    return __craig_stream_opened(mode);
}

stream *__craig_tmpfile(void) {
    return __craig_stream_opened("w+");
}

stream *__craig_popen(const char *command, const char *mode) {
    __craig_use_text(command);
    __craig_use_text(mode);
    return __craig_stream_opened(mode);
}

// 0, or EOF after a failure.
static int __craig_result(void) {
    if (__craig_any_bool())
        return 0;
    __craig_stream_error();
    return -1;
}

int __craig_fclose(stream *s) {
    __craig_stream_close(s);
    return __craig_result();
}

int __craig_pclose(stream *s) {
    __craig_stream_close(s);
    return __craig_any_int();
}

int __craig_remove(const char *path) {
    __craig_use_text(path);
    return __craig_result();
}

int __craig_rename(const char *from, const char *to) {
    __craig_use_text(from);
    __craig_use_text(to);
    return __craig_result();
}

int __craig_fileno(stream *s) {
    __craig_stream_use(s);
    int descriptor = __craig_any_int();
    if (descriptor < -1)
        descriptor = -1;
    return descriptor;
}

int __craig_getchar(void) {
    return __craig_stream_get(__craig_stdin);
}

int __craig_getchar_unlocked(void) {
    return __craig_stream_get(__craig_stdin);
}

int __craig_fgetc(stream *s) {
    return __craig_stream_get(s);
}

int __craig_getc(stream *s) {
    return __craig_stream_get(s);
}

int __craig__IO_getc(stream *s) {
    return __craig_stream_get(s);
}

int __craig_getc_unlocked(stream *s) {
    return __craig_stream_get(s);
}

int __craig_fgetc_unlocked(stream *s) {
    return __craig_stream_get(s);
}

// The character that was written, or EOF.
static int __craig_output(int c) {
    if (__craig_output_arrives())
        return (unsigned char)c;
    __craig_stream_error();
    return -1;
}

int __craig_putchar(int c) {
    return __craig_output(c);
}

int __craig_putchar_unlocked(int c) {
    return __craig_output(c);
}

int __craig_fputc(int c, stream *s) {
    return __craig_stream_put(c, s);
}

int __craig_putc(int c, stream *s) {
    return __craig_stream_put(c, s);
}

int __craig__IO_putc(int c, stream *s) {
    return __craig_stream_put(c, s);
}

int __craig_putc_unlocked(int c, stream *s) {
    return __craig_stream_put(c, s);
}

int __craig_fputc_unlocked(int c, stream *s) {
    return __craig_stream_put(c, s);
}

// A number that is not negative, or EOF.
static int __craig_written(_Bool arrives) {
    return arrives ? __craig_any_int() & 0x7fffffff : -1;
}

int __craig_puts(const char *text) {
    __craig_use_text(text);
    return __craig_written(__craig_output_arrives());
}

int __craig_fputs(const char *text, stream *s) {
    size_t i;
    int c = 0;
    __craig_use_text(text);
    if (*(const char *)s == 0)
        return __craig_written(__craig_any_bool());
    for (i = 0; text[i] && c != -1; i++)
        c = __craig_stream_put((unsigned char)text[i], s);
    return __craig_written(c != -1);
}

int __craig_fputs_unlocked(const char *text, stream *s) {
    return __craig_fputs(text, s);
}

void __craig_perror(const char *text) {
    if (text)
        __craig_use_text(text);
}

// At most a line, and at most `size - 1` characters; the text ends with a zero.
char *__craig_fgets(char *to, int size, stream *s) {
    int n = 0;
    char c = 0;
    _Bool stopped = 0;
    if (size <= 0 || !__craig_stream_reads(s))
        return 0;
    if (__craig_stream_followed(s)) {
        int next = 0;
        while (n < size - 1 && next != '\n') {
            next = __craig_stream_get(s);
            if (next == -1)
                break;
            to[n] = (char)next;
            n++;
        }
        stopped = next == -1;
    } else {
        while (n < size - 1 && c != '\n' && __craig_any_bool()) {
            c = __craig_any_char();
            to[n] = c;
            n++;
        }
        stopped = n < size - 1 && c != '\n';
        if (stopped)
            __craig_stream_stop(s);
        __craig_stream_moved(s, (size_t)n);
    }
    // After a failure there is no line, at the end of the input what there was of one.
    if (stopped && (n == 0 || !__craig_stream_ended(s)))
        return 0;
    to[n] = 0;
    return to;
}

char *__craig_fgets_unlocked(char *to, int size, stream *s) {
    return __craig_fgets(to, size, s);
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
    __craig_stream_took(__craig_stdin);
    if (n == 0 && __craig_any_bool())
        return 0;
    to[n] = 0;
    return to;
}

// The bytes up to the next delimiter, in memory of its own.
long __craig_getdelim(char **line, size_t *size, int delimiter, stream *s) {
    size_t length = __craig_any_size();
    char *memory;
    if (!__craig_stream_reads(s))
        return -1;
    if (__craig_any_bool()) {
        __craig_stream_stop(s);
        return -1;
    }
    __craig_stream_took(s);
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

long __craig_getline(char **line, size_t *size, stream *s) {
    return __craig_getdelim(line, size, '\n', s);
}

// The last element may be read in part.
size_t __craig_fread(void *to, size_t size, size_t count, stream *s) {
    size_t n = __craig_any_size();
    if (!__craig_stream_reads(s))
        return 0;
    if (size == 0 || count == 0)
        return 0;
    // Byte by byte only where that says more.
    if (__craig_memory_streams())
        if (__craig_stream_in_memory(s)) {
            for (n = 0; n < size * count; n++) {
                int c = __craig_stream_get(s);
                if (c == -1)
                    break;
                ((char *)to)[n] = (char)c;
            }
            return n / size;
        }
    if (n > count)
        n = count;
    if (n < count && size > 1 && __craig_any_bool())
        __craig_havoc(to, n + 1, size);
    else
        __craig_havoc(to, n, size);
    if (n < count)
        __craig_stream_stop(s);
    __craig_stream_moved(s, n * size);
    return n;
}

size_t __craig_fread_unlocked(void *to, size_t size, size_t count, stream *s) {
    return __craig_fread(to, size, count, s);
}

size_t __craig_fwrite(const void *from, size_t size, size_t count, stream *s) {
    size_t n = __craig_any_size(), i = __craig_any_size();
    if (size == 0)
        return 0;
    if (__craig_memory_streams())
        if (__craig_stream_in_memory(s)) {
            for (n = 0; n < size * count; n++)
                if (__craig_stream_put(((const char *)from)[n], s) == -1)
                    break;
            return n / size;
        }
    // Any byte of what is to be written.
    if (i < size * count) {
        char byte = ((const char *)from)[i];
        (void)byte;
    }
    if (n > count)
        n = count;
    return __craig_stream_sent(s, n * size) ? count : n;
}

size_t __craig_fwrite_unlocked(const void *from, size_t size, size_t count, stream *s) {
    return __craig_fwrite(from, size, count, s);
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
