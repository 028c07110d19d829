// Streams of <stdio.h>: their contents are arbitrary, but what was found out about one stays true: the end of the
// input, a failure, what may be done with it, where it is. The bytes of fmemopen's are those of its buffer, which
// are written at once.

typedef __typeof__(sizeof(0)) size_t;

// In the bytes of the program's `FILE`. One that comes from elsewhere has any values here, which does no harm.
typedef struct __craig_stream {
    // 1 for a stream that fopen and its like opened. A standard stream begins with a zero.
    char opened;
    char readable, writable;
    char failed, ended;
    // What was done last: 1 for input, 2 for output, 3 for either.
    char last;
    char buffered;
    // The character that ungetc put back, and 1; or 0.
    int pushed;
    size_t at, pending;
} stream;

// The streams of fmemopen that are open: two at most, a third cannot be opened.
static struct {
    stream *opened;
    char *memory;
    size_t room, length;
    _Bool owned;
} __craig_first, __craig_second;

// Whether the program calls fmemopen.
_Bool __craig_memory_streams(void);
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
void __craig_use_text(const char *);

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

// The number of a stream of fmemopen; -1 for others.
static int __craig_slot(stream *s) {
    if (!__craig_memory_streams())
        return -1;
    return s == __craig_first.opened ? 0 : s == __craig_second.opened ? 1 : -1;
}

static char *__craig_memory(int slot) {
    return slot ? __craig_second.memory : __craig_first.memory;
}

static size_t __craig_room(int slot) {
    return slot ? __craig_second.room : __craig_first.room;
}

static size_t __craig_length(int slot) {
    return slot ? __craig_second.length : __craig_first.length;
}

static void __craig_set_length(int slot, size_t length) {
    if (slot)
        __craig_second.length = length;
    else
        __craig_first.length = length;
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
}

// A stream, or null and an error.
stream *__craig_stream_opened(const char *mode) {
    stream *s;
    if (!__craig_any_bool()) {
        __craig_stream_error();
        return 0;
    }
    s = malloc(256);
    __craig_assume(s != 0);
    s->opened = 1;
    __craig_stream_begin(s, mode);
    return s;
}

stream *__craig_fmemopen(void *buffer, size_t size, const char *mode) {
    stream *s;
    size_t n = 0;
    _Bool owned = !buffer;
    __craig_use_text(mode);
    if (__craig_first.opened && __craig_second.opened)
        return 0;
    s = __craig_stream_opened(mode);
    if (!s)
        return 0;
    if (owned) {
        buffer = malloc(size);
        if (!buffer) {
            free(s);
            return 0;
        }
        if (size)
            *(char *)buffer = 0;
    }
    if (mode[0] == 'r')
        n = size;
    if (mode[0] == 'w' && size && __craig_updates(mode))
        *(char *)buffer = 0;
    if (mode[0] == 'a') {
        while (n < size && ((char *)buffer)[n])
            n++;
        s->at = n;
    }
    if (__craig_first.opened) {
        __craig_second.opened = s;
        __craig_second.memory = buffer;
        __craig_second.room = size;
        __craig_second.length = n;
        __craig_second.owned = owned;
    } else {
        __craig_first.opened = s;
        __craig_first.memory = buffer;
        __craig_first.room = size;
        __craig_first.length = n;
        __craig_first.owned = owned;
    }
    return s;
}

stream *__craig_freopen(const char *path, const char *mode, stream *s) {
    if (path)
        __craig_use_text(path);
    __craig_use_text(mode);
    __craig_stream_use(s);
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
    int slot = __craig_slot(s);
    if (slot >= 0) {
        if (slot ? __craig_second.owned : __craig_first.owned)
            free(__craig_memory(slot));
        if (slot)
            __craig_second.opened = 0;
        else
            __craig_first.opened = 0;
    }
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
    int slot = __craig_slot(s);
    s->pushed = 0;
    if (slot >= 0 && at > __craig_length(slot))
        at = __craig_length(slot);
    s->at = at;
    if (__craig_any_bool())
        __craig_stream_stop(s);
}

// The input went on by that much.
void __craig_stream_moved(stream *s, size_t n) {
    int slot = __craig_slot(s);
    s->pushed = 0;
    s->at += n;
    if (slot >= 0 && s->at > __craig_length(slot))
        s->at = __craig_length(slot);
}

_Bool __craig_stream_ended(stream *s) {
    return s->ended;
}

// Whether something is known about what is read next.
_Bool __craig_stream_followed(stream *s) {
    return __craig_slot(s) >= 0 || s->pushed != 0 || s->ended != 0;
}

_Bool __craig_stream_in_memory(stream *s) {
    return __craig_slot(s) >= 0;
}

// A byte, or EOF.
int __craig_stream_get(stream *s) {
    int c, slot = __craig_slot(s);
    if (!__craig_stream_reads(s))
        return -1;
    if (0 < s->pushed && s->pushed <= 256) {
        c = s->pushed - 1;
        s->pushed = 0;
        s->at++;
        return c;
    }
    if (s->ended)
        return -1;
    if (slot >= 0) {
        if (s->at >= __craig_length(slot)) {
            s->ended = 1;
            return -1;
        }
        c = (unsigned char)__craig_memory(slot)[s->at];
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
    int slot = __craig_slot(s);
    if (!__craig_stream_writes(s))
        return 0;
    if (s->opened) {
        if (slot >= 0) {
            // What was written is not followed here.
            size_t room = __craig_room(slot);
            if (s->at < room)
                __craig_havoc(__craig_memory(slot) + s->at, room - s->at, 1);
            if (room && __craig_length(slot) < room - 1)
                __craig_set_length(slot, room - 1);
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
    int slot = __craig_slot(s);
    if (!__craig_stream_writes(s))
        return -1;
    if (slot >= 0 && s->buffered) {
        // The last byte may stay a zero.
        if (s->at + 1 < __craig_room(slot)) {
            __craig_memory(slot)[s->at] = (char)c;
            s->at++;
            if (s->at > __craig_length(slot)) {
                __craig_set_length(slot, s->at);
                __craig_memory(slot)[s->at] = 0;
            }
            s->pending++;
            return (unsigned char)c;
        }
        if (s->at < __craig_room(slot))
            __craig_memory(slot)[s->at] = __craig_any_char();
    }
    s->at++;
    s->pending = __craig_any_size();
    if (__craig_any_bool())
        return (unsigned char)c;
    return __craig_not_written(s);
}

static _Bool __craig_flushed(stream *s) {
    int slot = __craig_slot(s);
    s->pending = 0;
    if (slot >= 0 && s->at < __craig_room(slot))
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
    int slot = __craig_slot(s);
    if (slot >= 0 && at > __craig_room(slot))
        at = __craig_room(slot);
    if (!__craig_flushed(s))
        return -1;
    if (from == 0)
        at = (size_t)offset;
    if (from == 1)
        at = s->at + (size_t)offset;
    if ((long)at < 0 || (slot >= 0 && at > __craig_room(slot))) {
        __craig_stream_error();
        return -1;
    }
    if (slot < 0 && !__craig_any_bool()) {
        __craig_stream_error();
        return -1;
    }
    s->at = at;
    s->ended = 0;
    s->pushed = 0;
    s->last = 3;
    return 0;
}

// A position is a place, and a state that no stream has here.
int __craig_fgetpos(stream *s, long *to) {
    if (__craig_slot(s) < 0 && !__craig_any_bool()) {
        __craig_stream_error();
        return -1;
    }
    *to = (long)s->at;
    return 0;
}

int __craig_fsetpos(stream *s, const long *to) {
    return __craig_fseek(s, *to, 0);
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
    if (at < 0 || (__craig_slot(s) < 0 && !__craig_any_bool())) {
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
