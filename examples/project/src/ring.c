#include "ring.h"

static unsigned after(unsigned position, unsigned by)
{
    return (position + by) % CAPACITY;
}

/*@ requires \valid(r) && r->first < CAPACITY && r->used <= CAPACITY;
  @ ensures r->used <= CAPACITY && (\result == 0 || r->used == \old(r->used) + 1); */
int ring_push(struct ring *r, unsigned char byte)
{
    if (r->used == CAPACITY)
        return 0;
    r->data[after(r->first, r->used)] = byte;
    r->used++;
    return 1;
}

/*@ requires \valid(r) && \valid(byte) && \separated(r, byte) && r->first < CAPACITY && r->used <= CAPACITY;
  @ ensures r->first < CAPACITY && r->used <= CAPACITY; */
int ring_pop(struct ring *r, unsigned char *byte)
{
    if (r->used == 0)
        return 0;
    *byte = r->data[r->first];
    r->first = after(r->first, 1);
    r->used--;
    return 1;
}
