#include <assert.h>

// A heap of 5 numbers gives them back in order.
short __VERIFIER_nondet_short(void);

enum { SIZE = 5 };
static short heap[SIZE];
static int count;

static void push(short value) {
    int at = count++;
    while (at > 0 && heap[(at - 1) / 2] > value) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = value;
}

static short pop(void) {
    short top = heap[0], value = heap[--count];
    int at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= value)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
    return top;
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        push(__VERIFIER_nondet_short());
    short last = pop();
    for (int i = 1; i < SIZE; i++) {
        short next = pop();
        assert(last <= next);
        last = next;
    }
    return 0;
}
