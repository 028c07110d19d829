// Streams of <stdio.h>: their contents are arbitrary, but what was found out about one stays true: the end of the
// input, a failure, what may be done with it, where it is. The bytes of fmemopen's are those of its buffer, which
// are written at once.

typedef __typeof__(sizeof(0)) size_t;

typedef struct __craig_stream {
    // 1 for a stream that fopen and its like opened, 2 if its memory is its own. A standard stream begins with a zero.
    char opened;
    // What the program's `FILE` has.
    char foreign[255];
    char readable, writable;
    char failed, ended;
    // What was done last: 1 for input, 2 for output, 3 for either.
    char last;
    char buffered;
    // The character that ungetc put back, and 1; or 0.
    int pushed;
    size_t at, pending;
    char *memory;
    size_t size, length;
} stream;

int __craig_any_int(void);
long __craig_any_long(void);
char __craig_any_char(void);
_Bool __craig_any_bool(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);
// Writes any values to that many elements of that size.
void __craig_havoc(void *, size_t count, size_t size);
void *malloc(size_t);
void free(void *);
int *__craig___errno_location(void);

void __craig_stream_error(void) {
    int error = __craig_any_int();
    if (error <= 0)
        error = 1;
    *__craig___errno_location() = error;
}

// It exists until it is closed.
void __craig_stream_use(stream *s) {
    char state = s->opened;
    (void)state;
}

// `+` is the second character, or comes after one or two others.
static _Bool __craig_updates(const char *mode) {
    if (!mode[0] || !mode[1])
        return 0;
    if (mode[1] == '+')
        return 1;
    return mode[2] == '+' || (mode[2] && mode[3] == '+');
}

static void __craig_stream_begin(stream *s, const char *mode) {
    _Bool updates = __craig_updates(mode);
    s->readable = mode[0] == 'r' || updates;
    s->writable = mode[0] != 'r' || updates;
    s->failed = 0;
    s->ended = 0;
    s->last = 0;
    s->buffered = 1;
    s->pushed = 0;
    s->at = 0;
    if (mode[0] == 'a')
        s->at = __craig_any_size();
    s->pending = 0;
    s->memory = 0;
}

// A stream, or null and an error.
stream *__craig_stream_opened(const char *mode) {
    stream *s;
    if (!__craig_any_bool()) {
        __craig_stream_error();
        return 0;
    }
    s = malloc(sizeof(stream));
    __craig_assume(s != 0);
    s->opened = 1;
    __craig_stream_begin(s, mode);
    return s;
}

stream *__craig_fmemopen(void *buffer, size_t size, const char *mode) {
    stream *s = __craig_stream_opened(mode);
    size_t n = 0;
    if (!s)
        return 0;
    if (buffer) {
        s->memory = buffer;
    } else {
        s->memory = malloc(size);
        if (!s->memory) {
            free(s);
            return 0;
        }
        s->opened = 2;
        if (size)
            s->memory[0] = 0;
    }
    s->size = size;
    s->length = 0;
    if (mode[0] == 'r')
        s->length = size;
    if (mode[0] == 'w' && size && __craig_updates(mode))
        s->memory[0] = 0;
    if (mode[0] == 'a') {
        while (n < size && s->memory[n])
            n++;
        s->length = n;
        s->at = n;
    }
    return s;
}

stream *__craig_freopen(const char *path, const char *mode, stream *s) {
    if (!__craig_any_bool()) {
        __craig_stream_error();
        return 0;
    }
    if (s->opened)
        __craig_stream_begin(s, mode);
    s->ended = 0;
    s->pushed = 0;
    return s;
}

// The standard streams stay.
void __craig_stream_close(stream *s) {
    if (s->opened == 2)
        free(s->memory);
    if (s->opened)
        free(s);
}

// Whether there may be input now; where not, that is a failure.
_Bool __craig_stream_reads(stream *s) {
    if (s->opened) {
        if (!s->readable) {
            s->failed = 1;
            __craig_stream_error();
            return 0;
        }
        s->last = 1;
        s->pending = 0;
    }
    return 1;
}

// The input came to its end, or failed.
void __craig_stream_stop(stream *s) {
    if (s->ended)
        return;
    s->ended = __craig_any_bool();
    if (!s->ended) {
        s->failed = 1;
        __craig_stream_error();
    }
}

// Input was taken from the stream in a way that is not followed: any part of it.
void __craig_stream_took(stream *s) {
    size_t at = __craig_any_size();
    s->pushed = 0;
    if (s->memory && at > s->length)
        at = s->length;
    s->at = at;
    if (__craig_any_bool())
        __craig_stream_stop(s);
}

// The input went on by that much.
void __craig_stream_moved(stream *s, size_t n) {
    s->pushed = 0;
    s->at += n;
    if (s->memory && s->at > s->length)
        s->at = s->length;
}

_Bool __craig_stream_ended(stream *s) {
    return s->ended;
}

// Whether something is known about what is read next.
_Bool __craig_stream_followed(stream *s) {
    return s->memory != 0 || s->pushed != 0 || s->ended != 0;
}

// A byte, or EOF.
int __craig_stream_get(stream *s) {
    int c;
    if (!__craig_stream_reads(s))
        return -1;
    if (s->pushed) {
        c = s->pushed - 1;
        s->pushed = 0;
        s->at++;
        return c;
    }
    if (s->ended)
        return -1;
    if (s->memory) {
        if (s->at >= s->length) {
            s->ended = 1;
            return -1;
        }
        c = (unsigned char)s->memory[s->at];
        s->at++;
        return c;
    }
    c = __craig_any_int();
    if (c < -1 || c > 255)
        c = -1;
    if (c == -1)
        __craig_stream_stop(s);
    else
        s->at++;
    return c;
}

static int __craig_not_written(stream *s) {
    s->failed = 1;
    __craig_stream_error();
    return -1;
}

// Whether there may be output now; where not, that is a failure.
_Bool __craig_stream_writes(stream *s) {
    if (s->opened) {
        if (!s->writable) {
            __craig_not_written(s);
            return 0;
        }
        s->last = 2;
        s->pushed = 0;
    }
    return 1;
}

// `n` bytes of output were sent, or not.
_Bool __craig_stream_sent(stream *s, size_t n) {
    if (!__craig_stream_writes(s))
        return 0;
    if (s->opened) {
        if (s->memory) {
            // What was written is not followed here.
            if (s->at < s->size)
                __craig_havoc(s->memory + s->at, s->size - s->at, 1);
            if (s->size && s->length < s->size - 1)
                s->length = s->size - 1;
        }
        s->at += n;
        s->pending = __craig_any_size();
    }
    if (__craig_any_bool())
        return 1;
    __craig_not_written(s);
    return 0;
}

// The character that was written, or EOF.
int __craig_stream_put(int c, stream *s) {
    if (!__craig_stream_writes(s))
        return -1;
    if (s->opened && s->memory && s->buffered) {
        // The last byte may stay a zero.
        if (s->at + 1 < s->size) {
            s->memory[s->at] = (char)c;
            s->at++;
            if (s->at > s->length) {
                s->length = s->at;
                s->memory[s->at] = 0;
            }
            s->pending++;
            return (unsigned char)c;
        }
        if (s->at < s->size)
            s->memory[s->at] = __craig_any_char();
    }
    s->at++;
    s->pending = __craig_any_size();
    if (__craig_any_bool())
        return (unsigned char)c;
    return __craig_not_written(s);
}

static _Bool __craig_flushed(stream *s) {
    s->pending = 0;
    if (s->memory && s->at < s->size)
        return 1;
    if (__craig_any_bool())
        return 1;
    __craig_not_written(s);
    return 0;
}

int __craig_fflush(stream *s) {
    if (s)
        return __craig_flushed(s) ? 0 : -1;
    // All streams.
    if (__craig_any_bool())
        return 0;
    __craig_stream_error();
    return -1;
}

int __craig_fseek(stream *s, long offset, int from) {
    size_t at = __craig_any_size();
    if (s->memory && at > s->size)
        at = s->size;
    if (!__craig_flushed(s))
        return -1;
    if (from == 0)
        at = (size_t)offset;
    if (from == 1)
        at = s->at + (size_t)offset;
    if ((long)at < 0 || (s->memory && at > s->size)) {
        __craig_stream_error();
        return -1;
    }
    if (!s->memory && !__craig_any_bool()) {
        __craig_stream_error();
        return -1;
    }
    s->at = at;
    s->ended = 0;
    s->pushed = 0;
    s->last = 3;
    return 0;
}

int __craig_fseeko(stream *s, long offset, int from) {
    return __craig_fseek(s, offset, from);
}

void __craig_rewind(stream *s) {
    __craig_flushed(s);
    s->at = 0;
    s->failed = 0;
    s->ended = 0;
    s->pushed = 0;
    s->last = 3;
}

// Standard streams cannot be told where they are, as a rule; and then not at all.
long __craig_ftell(stream *s) {
    long at = (long)s->at;
    if (!s->opened)
        at = __craig_any_long();
    if (at < 0 || (!s->memory && !__craig_any_bool())) {
        __craig_stream_error();
        return -1;
    }
    return at;
}

long __craig_ftello(stream *s) {
    return __craig_ftell(s);
}

// Not 0, or 0.
static int __craig_truth(_Bool holds) {
    int result = __craig_any_int();
    if (!holds)
        return 0;
    return result ? result : 1;
}

int __craig_feof(stream *s) {
    return __craig_truth(s->ended);
}

// Output to standard streams is not followed.
int __craig_ferror(stream *s) {
    if (!s->opened && !s->failed)
        return __craig_any_int();
    return __craig_truth(s->failed);
}

void __craig_clearerr(stream *s) {
    s->ended = 0;
    s->failed = 0;
}

int __craig_ungetc(int c, stream *s) {
    if (c == -1 || !__craig_stream_reads(s))
        return -1;
    // There is room for one.
    if (s->pushed && !__craig_any_bool())
        return -1;
    s->pushed = (unsigned char)c + 1;
    s->at--;
    s->ended = 0;
    return (unsigned char)c;
}

int __craig_setvbuf(stream *s, char *buffer, int mode, size_t size) {
    s->buffered = 0;
    return __craig_any_int();
}

void __craig_setbuf(stream *s, char *buffer) {
    s->buffered = 0;
}

// <stdio_ext.h>

size_t __craig___fpending(stream *s) {
    if (!s->opened)
        return __craig_any_size();
    return s->pending;
}

int __craig___freadable(stream *s) {
    return __craig_truth(!s->opened || s->readable);
}

int __craig___fwritable(stream *s) {
    return __craig_truth(!s->opened || s->writable);
}

int __craig___freading(stream *s) {
    if (!s->opened || s->last == 3)
        return __craig_any_int();
    return __craig_truth(!s->writable || s->last == 1);
}

int __craig___fwriting(stream *s) {
    if (!s->opened || s->last == 3)
        return __craig_any_int();
    return __craig_truth(!s->readable || s->last == 2);
}

// Without locks, the same.

int __craig_feof_unlocked(stream *s) {
    return __craig_feof(s);
}

int __craig_ferror_unlocked(stream *s) {
    return __craig_ferror(s);
}

void __craig_clearerr_unlocked(stream *s) {
    __craig_clearerr(s);
}

int __craig_fflush_unlocked(stream *s) {
    return __craig_fflush(s);
}
