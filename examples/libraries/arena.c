// An allocator that hands out parts of one block.
//
// safe: --entry arena_alloc
// safe: --entry arena_zeroed
// safe: --entry arena_copy
// unsafe: -DBUG1 --entry arena_zeroed
// unsafe: -DBUG2 --entry arena_copy
#include <stddef.h>

struct arena {
    unsigned char *block;
    size_t size, used;
};

/* The offset of n bytes that are free, or the size of the block if there are none. */
/*@ requires \valid(a) && \valid(a->block + (0..a->size-1)) && a->used <= a->size;
  @ ensures a->used <= a->size && (\result < a->size ==> n <= a->size - \result); */
size_t arena_alloc(struct arena *a, size_t n) {
    size_t at = a->used;
#ifdef BUG1 /* the sum wraps around */
    if (a->used + n > a->size)
#else
    if (n > a->size - a->used)
#endif
        return a->size;
    a->used += n;
    return at;
}

/*@ requires \valid(a) && \valid(a->block + (0..a->size-1)) && a->used <= a->size; */
unsigned char *arena_zeroed(struct arena *a, size_t n) {
    size_t at = arena_alloc(a, n), i;
    if (at == a->size)
        return 0;
    for (i = 0; i < n; i++)
        a->block[at + i] = 0;
    return a->block + at;
}

/* A copy of a string of n characters, with a null character. */
/*@ requires \valid(a) && \valid(a->block + (0..a->size-1)) && a->used <= a->size;
  @ requires \valid_read(text + (0..n-1)) && \separated(a, text) && n < 1000000; */
char *arena_copy(struct arena *a, const char *text, size_t n) {
#ifdef BUG2 /* forgets the null character */
    size_t at = arena_alloc(a, n), i;
#else
    size_t at = arena_alloc(a, n + 1), i;
#endif
    if (at == a->size)
        return 0;
    for (i = 0; i < n; i++)
        a->block[at + i] = (unsigned char)text[i];
    a->block[at + n] = 0;
    return (char *)a->block + at;
}
