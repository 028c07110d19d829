// A ring buffer in memory of its user's.
//
// safe: --entry ring_push
// safe: --entry ring_pop
// safe: --entry ring_drain
// unsafe: -DBUG1 --entry ring_push
// unsafe: -DBUG2 --entry ring_pop
#include <stddef.h>

struct ring {
    int *items;
    size_t room, head, count;
};

/*@ requires \valid(r) && \valid(r->items + (0..r->room-1));
  @ requires r->room <= 1000000 && r->head < r->room && r->count <= r->room;
  @ assigns r->count, r->items[0..r->room-1];
  @ ensures r->count <= r->room && r->head < r->room; */
int ring_push(struct ring *r, int item) {
    size_t at;
#ifdef BUG1 /* full is noticed one too late, and the index not folded */
    if (r->count > r->room)
        return 0;
    at = r->head + r->count;
    if (at > r->room)
#else
    if (r->count == r->room)
        return 0;
    at = r->head + r->count;
    if (at >= r->room)
#endif
        at -= r->room;
    r->items[at] = item;
    r->count++;
    return 1;
}

/*@ requires \valid(r) && \valid(r->items + (0..r->room-1)) && \valid(item) && \separated(r, item);
  @ requires r->room <= 1000000 && r->head < r->room && r->count <= r->room;
  @ ensures r->count <= r->room && r->head < r->room; */
int ring_pop(struct ring *r, int *item) {
    if (r->count == 0)
        return 0;
#ifdef BUG2 /* moves first, and folds too late */
    r->head++;
    *item = r->items[r->head];
    if (r->head == r->room)
        r->head = 0;
#else
    *item = r->items[r->head];
    r->head++;
    if (r->head == r->room)
        r->head = 0;
#endif
    r->count--;
    return 1;
}

/* Takes everything out and adds it up. */
/*@ requires \valid(r) && \valid(r->items + (0..r->room-1));
  @ requires r->room <= 1000000 && r->head < r->room && r->count <= r->room;
  @ ensures r->count == 0; */
unsigned ring_drain(struct ring *r) {
    unsigned sum = 0;
    while (r->count > 0) {
        sum += (unsigned)r->items[r->head];
        r->head++;
        if (r->head == r->room)
            r->head = 0;
        r->count--;
    }
    return sum;
}
