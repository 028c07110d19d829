// What is called through pointers to functions that lowering knows by name.

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *mempcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void bzero(void *, size_t);
void abort(void);
void exit(int);
void _exit(int);
void _Exit(int);
void quick_exit(int);

void *__craig_pointer_malloc(size_t size) {
    return malloc(size);
}

void *__craig_pointer_calloc(size_t count, size_t size) {
    return calloc(count, size);
}

void *__craig_pointer_realloc(void *old, size_t size) {
    return realloc(old, size);
}

void __craig_pointer_free(void *object) {
    free(object);
}

void *__craig_pointer_memcpy(void *to, const void *from, size_t size) {
    return memcpy(to, from, size);
}

void *__craig_pointer_mempcpy(void *to, const void *from, size_t size) {
    return mempcpy(to, from, size);
}

void *__craig_pointer_memmove(void *to, const void *from, size_t size) {
    return memmove(to, from, size);
}

void *__craig_pointer_memset(void *to, int byte, size_t size) {
    return memset(to, byte, size);
}

void __craig_pointer_bzero(void *to, size_t size) {
    bzero(to, size);
}

void __craig_pointer_abort(void) {
    abort();
}

void __craig_pointer_exit(int status) {
    exit(status);
}

void __craig_pointer__exit(int status) {
    _exit(status);
}

void __craig_pointer__Exit(int status) {
    _Exit(status);
}

void __craig_pointer_quick_exit(int status) {
    quick_exit(status);
}
