// A buffer that grows to what its owner gave it. The contract stands in the source, as ACSL.
//
// safe: --entry append
// unsafe: --entry append_bug
// safe: --entry append_twice --replace append
#include <stddef.h>

struct buffer {
    char *data;
    size_t used, room;
};

/*@ requires \valid(b) && \valid(b->data + (0..b->room-1)) && b->used <= b->room;
  @ assigns b->used, b->data[0..b->room-1];
  @ ensures b->used <= b->room; */
int append(struct buffer *b, char c) {
    if (b->used == b->room)
        return -1;
    b->data[b->used++] = c;
    return 0;
}

/*@ requires \valid(b) && \valid(b->data + (0..b->room-1)) && b->used <= b->room; */
int append_bug(struct buffer *b, char c) {
    if (b->used > b->room)
        return -1;
    b->data[b->used++] = c;
    return 0;
}

/*@ requires \valid(b) && \valid(b->data + (0..b->room-1)) && b->used <= b->room;
  @ ensures b->used <= b->room; */
int append_twice(struct buffer *b, char c) {
    return append(b, c) || append(b, c) ? -1 : 0;
}
