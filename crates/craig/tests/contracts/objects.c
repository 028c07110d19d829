// safe: --entry values
// unsafe: --entry values_bug
// unsafe: --entry sizes_bug
// safe: --entry ends
// unsafe: --entry ends_bug
// safe: --entry assumed
// safe: --entry arrays
// unsafe: --entry arrays_bug
// unsafe: --entry too_short
// safe: --entry bytes
// safe: --entry blocks
// unsafe: --entry no_bytes_of_null
// safe: --entry in_invariant
// safe: --entry as_argument
// error '__CPROVER_OBJECT_SIZE': it is not known here which object this points into: --entry sizes_bug --data-model ilp32
// error '__CPROVER_is_list': it is not modelled: --entry lists
typedef __typeof__(sizeof 0) size_t;
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
unsigned nondet_uint(void);
int nondet_int(void);

static char *some(unsigned *n) {
    *n = nondet_uint();
    __CPROVER_assume(*n >= 1 && *n <= 1000);
    char *p = malloc(*n);
    __CPROVER_assume(p != 0);
    return p;
}

int values(void) {
    unsigned n;
    char *p = some(&n), local[10], *q = nondet_int() ? p : local;
    if (__CPROVER_r_ok(q, 5))
        q[4] = 1;
    int ok = __CPROVER_w_ok(p, n) && !__CPROVER_r_ok(p, n + 1) && !__CPROVER_r_ok(0, 1);
    __CPROVER_assert(ok, "allocated");
    __CPROVER_assert(!(__CPROVER_r_ok(local, 11)) && !__CPROVER_r_ok(local - 1, 1), "local");
    __CPROVER_assert(__CPROVER_r_ok("abc", 4) == 1 && !__CPROVER_rw_ok("abc", 5), "a text");
    __CPROVER_assert(!__CPROVER_r_ok((char *)0, 0) && __CPROVER_r_ok(local + 10, 0), "no bytes");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(q) == n || __CPROVER_OBJECT_SIZE(q) == 10, "one of the sizes");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(p + n) == n, "at its end");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(0) == 0, "of null");
    return 0;
}

int values_bug(void) {
    unsigned n;
    char *p = some(&n), local[10], *q = nondet_int() ? p : local;
    if (__CPROVER_r_ok(q, 4))
        q[4] = 1;
    return 0;
}

int sizes_bug(void) {
    unsigned n;
    char *p = some(&n), local[10], *q = nondet_int() ? p : local;
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(q) == n, "the other one has 10");
    return 0;
}

int ends(void) {
    unsigned n;
    char *p = some(&n), local[3];
    static const char table[3];
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(local), "who made it");
    __CPROVER_assert(__CPROVER_is_freeable(p) && !__CPROVER_is_freeable(p + 1) && !__CPROVER_is_freeable(local), "free");
    __CPROVER_assert(__CPROVER_WRITEABLE_OBJECT(local) && !__CPROVER_WRITEABLE_OBJECT(table), "constants");
    p = realloc(p, n + 1);
    if (p) {
        __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == n + 1 && __CPROVER_w_ok(p, n + 1), "a larger one");
        free(p);
        __CPROVER_assert(!__CPROVER_r_ok(p, 1) && !__CPROVER_LIVE_OBJECT(p) && __CPROVER_DYNAMIC_OBJECT(p), "freed");
    }
    return 0;
}

int ends_bug(void) {
    unsigned n;
    char *p = some(&n), *q = p;
    if (nondet_int())
        free(p);
    __CPROVER_assert(__CPROVER_r_ok(q, n) || n > 5, "it may be gone");
    return 0;
}

int assumed(void) {
    char a[3], b[8], *p = nondet_int() ? a : b;
    __CPROVER_assume(__CPROVER_r_ok(p, 4));
    p[7] = 1;
    return 0;
}

int arrays(void) {
    static int table[4];
    int a[5], b[5];
    __CPROVER_array_set(a, 7);
    __CPROVER_array_set(&b[2], 3);
    __CPROVER_assert(a[0] == 7 && a[4] == 7 && b[2] == 3 && b[4] == 3, "set");
    __CPROVER_array_copy(b, a);
    __CPROVER_assert(b[0] == 7 && __CPROVER_array_equal(a, b), "copied");
    __CPROVER_array_replace(b, table);
    __CPROVER_assert(b[3] == 0 && b[4] == 7 && !__CPROVER_array_equal(a, b), "replaced");
    __CPROVER_havoc_slice(a, 2 * sizeof(int));
    __CPROVER_assert(a[2] == 7, "the rest");
    return 0;
}

int arrays_bug(void) {
    int a[5];
    __CPROVER_array_set(a, 7);
    __CPROVER_havoc_slice(a, 2 * sizeof(int));
    __CPROVER_assert(a[1] == 7, "it may be another");
    return 0;
}

int too_short(void) {
    int a[5], b[4] = {0};
    __CPROVER_array_copy(a, b);
    return 0;
}

int bytes(void) {
    void *m = malloc(3);
    if (m) {
        __CPROVER_array_set(m, 1);
        __CPROVER_assert(((char *)m)[2] == 1, "each");
    }
    return 0;
}

int blocks(void) {
    char *p = 0;
    for (int i = 0; i < 3; i++) {
        char c = 1;
        p = &c;
        __CPROVER_assert(__CPROVER_r_ok(p, 1), "in its block");
    }
    __CPROVER_assert(!__CPROVER_r_ok(p, 1), "after it");
    return 0;
}

int no_bytes_of_null(char *p, size_t n)
__CPROVER_requires(n < 3)
{
    __CPROVER_assert(__CPROVER_r_ok(p, n), "null is no object");
    return 0;
}

int in_invariant(void) {
    unsigned n, i = 0;
    char *p = some(&n);
    while (i < n)
    __CPROVER_loop_invariant(i <= n && (i == n || __CPROVER_w_ok(p + i, 1)))
    {
        p[i] = 0;
        i++;
    }
    return 0;
}

static int check(_Bool ok) { return ok ? 1 : 1 / ok; }

int as_argument(void) {
    int a[2];
    return check(__CPROVER_r_ok(a, sizeof a)) + (__CPROVER_r_ok(a + 2) ? 0 : 3);
}

int lists(void *p) { return __CPROVER_is_list(p, 3); }
