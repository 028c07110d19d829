// Functions of other verifiers' harnesses.

typedef __typeof__(sizeof(0)) size_t;

size_t __CPROVER_OBJECT_SIZE(const void *);
__typeof__((char *)0 - (char *)0) __CPROVER_POINTER_OFFSET(const void *);
void *memmove(void *, const void *, size_t);
void *malloc(size_t);
void *calloc(size_t, size_t);
void __craig_assume(_Bool);
int __craig_any_int(void);
unsigned long __craig_any_ulong(void);
size_t __craig_any_size(void);
int memcmp(const void *, const void *, size_t);

// Writes any values to that many elements of that size.
void __craig_havoc(void *, size_t count, size_t size);

// SeaHorn: the pointers may alias. It only guides that verifier.
void __craig_sea_dsa_alias(const void *p, ...) {
}

// SeaHorn: any contents.
void __craig_memhavoc(void *to, size_t size) {
    __craig_havoc(to, size, 1);
}

// SV-COMP: any contents.
void __craig___VERIFIER_nondet_memory(void *to, size_t size) {
    __craig_havoc(to, size, 1);
}

// KLEE: a number below a bound, and one in a range.
unsigned long __craig_klee_choose(unsigned long below) {
    unsigned long number = __craig_any_ulong();
    __craig_assume(number < below);
    return number;
}

// The number itself: KLEE finds one value of it.
float __craig_klee_get_valuef(float x) {
    return x;
}

double __craig_klee_get_valued(double x) {
    return x;
}

long __craig_klee_get_valuel(long x) {
    return x;
}

long long __craig_klee_get_valuell(long long x) {
    return x;
}

int __craig_klee_get_value_i32(int x) {
    return x;
}

long long __craig_klee_get_value_i64(long long x) {
    return x;
}

// Any of the bytes can be read.
void __craig_klee_check_memory_access(const void *p, size_t size) {
    size_t i = __craig_any_size();
    if (i < size) {
        char byte = ((const char *)p)[i];
        (void)byte;
    }
}

int __craig_klee_range(int low, int end, const char *name) {
    int number = __craig_any_int();
    __craig_assume(low <= number && number < end);
    return number;
}

// CBMC: memory is always there.
void *__craig___CPROVER_allocate(size_t size, _Bool zero) {
    void *object = zero ? calloc(1, size) : malloc(size);
    __craig_assume(object != 0);
    return object;
}

// CBMC: an array is what comes from a pointer on to the end of its object.
void __craig___CPROVER_array_copy(const void *to, const void *from) {
    memmove((void *)to, from, __CPROVER_OBJECT_SIZE(to) - __CPROVER_POINTER_OFFSET(to));
}

// As much as the second one has.
void __craig___CPROVER_array_replace(const void *to, const void *from) {
    memmove((void *)to, from, __CPROVER_OBJECT_SIZE(from) - __CPROVER_POINTER_OFFSET(from));
}

_Bool __craig___CPROVER_array_equal(const void *a, const void *b) {
    size_t size = __CPROVER_OBJECT_SIZE(a) - __CPROVER_POINTER_OFFSET(a);
    return __CPROVER_OBJECT_SIZE(b) - __CPROVER_POINTER_OFFSET(b) == size && memcmp(a, b, size) == 0;
}

void __craig___CPROVER_havoc_slice(void *to, size_t size) {
    __craig_havoc(to, size, 1);
}

_Bool __craig___CPROVER_pointer_equals(void *p, void *q) {
    return p == q;
}
