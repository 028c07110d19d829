// `qsort`, `bsearch` and relatives. C fixes neither which elements are compared, nor how often, nor where
// they lie meanwhile: any two elements are compared any number of times, and at the end the array is a
// permutation in order. Equal elements may end in either order. An insertion sort is among them, so that runs
// need no luck. If comparing changes nothing, it makes no difference how often it is done: two elements of some
// permutation are compared, and one more permutation is sorted by insertion.

typedef __typeof__(sizeof(0)) size_t;
typedef int (*compare)(const void *, const void *);
typedef int (*compare_with)(const void *, const void *, void *);

_Bool __craig_any_bool(void);
size_t __craig_any_size(void);
void __craig_assume(_Bool);
void __craig_require(_Bool);

// Whether calls of the function, which is a parameter here, are known to change nothing.
_Bool __craig_only_looks(compare);

// Exchanges two elements of an array.
void __craig_swap(void *base, size_t a, size_t b, size_t size);

// Any permutation of the elements.
static void __craig_permute(void *base, size_t count, size_t size) {
    size_t i;
    for (i = 0; i + 1 < count; i++) {
        size_t with = __craig_any_size();
        if (with > i && with < count)
            __craig_swap(base, i, with, size);
    }
}

void __craig_qsort(void *base, size_t count, size_t size, compare order) {
    char *elements = base;
    size_t i, j;
    if (count < 2)
        return;
    if (__craig_only_looks((compare)order)) {
        size_t a = __craig_any_size(), b = __craig_any_size();
        __craig_permute(base, count, size);
        order(elements + (a < count ? a : 0) * size, elements + (b < count ? b : 0) * size);
        __craig_permute(base, count, size);
    } else if (!__craig_any_bool()) {
        while (__craig_any_bool()) {
            size_t a = __craig_any_size(), b = __craig_any_size();
            if (a >= count)
                a = 0;
            if (b >= count)
                b = count - 1;
            if (__craig_any_bool())
                order(elements + a * size, elements + b * size);
            else
                __craig_swap(base, a, b, size);
        }
        for (i = 1; i < count; i++)
            __craig_assume(order(elements + (i - 1) * size, elements + i * size) <= 0);
        return;
    }
    for (i = 1; i < count; i++)
        for (j = i; j > 0 && order(elements + (j - 1) * size, elements + j * size) > 0; j--)
            __craig_swap(base, j - 1, j, size);
}

void __craig_qsort_r(void *base, size_t count, size_t size, compare_with order, void *with) {
    char *elements = base;
    size_t i, j;
    if (count < 2)
        return;
    if (__craig_only_looks((compare)order)) {
        size_t a = __craig_any_size(), b = __craig_any_size();
        __craig_permute(base, count, size);
        order(elements + (a < count ? a : 0) * size, elements + (b < count ? b : 0) * size, with);
        __craig_permute(base, count, size);
    } else if (!__craig_any_bool()) {
        while (__craig_any_bool()) {
            size_t a = __craig_any_size(), b = __craig_any_size();
            if (a >= count)
                a = 0;
            if (b >= count)
                b = count - 1;
            if (__craig_any_bool())
                order(elements + a * size, elements + b * size, with);
            else
                __craig_swap(base, a, b, size);
        }
        for (i = 1; i < count; i++)
            __craig_assume(order(elements + (i - 1) * size, elements + i * size, with) <= 0);
        return;
    }
    for (i = 1; i < count; i++)
        for (j = i; j > 0 && order(elements + (j - 1) * size, elements + j * size, with) > 0; j--)
            __craig_swap(base, j - 1, j, size);
}

// Some elements are compared with the key; if one of them equals it, such a one is found.
void *__craig_bsearch(const void *key, const void *base, size_t count, size_t size, compare order) {
    const char *elements = base;
    size_t i, low = 0, high = count;
    _Bool looks = __craig_only_looks(order);
    if (__craig_any_bool()) {
        if (looks && count > 0) {
            i = __craig_any_size();
            order(key, elements + (i < count ? i : 0) * size);
        }
        while (low < high) {
            int where;
            i = low + (high - low) / 2;
            where = order(key, elements + i * size);
            if (where == 0)
                return (void *)(elements + i * size);
            if (where < 0)
                high = i;
            else
                low = i + 1;
        }
        return 0;
    }
    while (!looks && count > 0 && __craig_any_bool()) {
        i = __craig_any_size();
        if (i >= count)
            i = 0;
        order(key, elements + i * size);
    }
    if (count > 0 && (looks || __craig_any_bool())) {
        i = __craig_any_size();
        if (i >= count)
            i = 0;
        __craig_assume(order(key, elements + i * size) == 0);
        return (void *)(elements + i * size);
    }
    for (i = 0; i < count; i++)
        __craig_assume(order(key, elements + i * size) != 0);
    return 0;
}

void *__craig_lfind(const void *key, const void *base, size_t *count, size_t size, compare order) {
    const char *elements = base;
    size_t i;
    for (i = 0; i < *count; i++)
        if (order(key, elements + i * size) == 0)
            return (void *)(elements + i * size);
    return 0;
}
