#include <assert.h>
#include "ring.h"

unsigned char nondet_uchar(void);

/* What is pushed into an empty ring comes out again. */
void push_pop_harness(void)
{
    struct ring ring = { 0 };
    unsigned char in = nondet_uchar(), out = 0;
    assert(ring_push(&ring, in));
    assert(ring_pop(&ring, &out));
    assert(in == out && ring.used == 0);
}
