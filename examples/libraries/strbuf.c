// A string builder that never writes beyond what it was given.
//
// safe: --entry sb_put
// safe: --entry sb_append
// safe: --entry sb_number
// unsafe: -DBUG1 --entry sb_append
// unsafe: -DBUG2 --entry sb_number
#include <stddef.h>

struct sb {
    char *data;
    size_t used, room; /* data[used] is the null character */
};

/*@ requires \valid(b) && \valid(b->data + (0..b->room-1)) && b->used < b->room;
  @ ensures b->used < b->room; */
int sb_put(struct sb *b, char c) {
    if (b->room - b->used < 2)
        return 0;
    b->data[b->used++] = c;
    b->data[b->used] = 0;
    return 1;
}

/*@ requires \valid(b) && \valid(b->data + (0..b->room-1)) && b->used < b->room;
  @ requires \valid_read(text + (0..n-1)) && \separated(b, text);
  @ ensures b->used < b->room; */
int sb_append(struct sb *b, const char *text, size_t n) {
    size_t i;
#ifdef BUG1 /* no room for the null character */
    if (n > b->room - b->used)
#else
    if (n >= b->room - b->used)
#endif
        return 0;
    for (i = 0; i < n; i++)
        b->data[b->used + i] = text[i];
    b->used += n;
    b->data[b->used] = 0;
    return 1;
}

/* A number in decimal. */
/*@ requires \valid(b) && \valid(b->data + (0..b->room-1)) && b->used < b->room;
  @ ensures b->used < b->room; */
int sb_number(struct sb *b, unsigned value) {
#ifdef BUG2 /* ten digits do not fit */
    char digits[9];
#else
    char digits[10];
#endif
    unsigned n = 0, i;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    if (n >= b->room - b->used)
        return 0;
    for (i = 0; i < n; i++)
        b->data[b->used + i] = digits[n - 1 - i];
    b->used += n;
    b->data[b->used] = 0;
    return 1;
}
