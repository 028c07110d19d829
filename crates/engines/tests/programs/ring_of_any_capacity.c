// A ring buffer of any capacity: its indices stay inside of what was allocated for it.
// check: error memory overflow
// engine: frames  verdict: safe
#include <stdlib.h>
extern int input(void);
extern void reach_error(void);
struct ring {
    int *slots;
    int capacity, head, count;
};
static int put(struct ring *r, int value) {
    if (r->count == r->capacity)
        return 0;
    int tail = r->head + r->count;
    if (tail >= r->capacity)
        tail -= r->capacity;
    r->slots[tail] = value;
    r->count++;
    return 1;
}
static int take(struct ring *r, int *value) {
    if (r->count == 0)
        return 0;
    *value = r->slots[r->head];
    r->head++;
    if (r->head == r->capacity)
        r->head = 0;
    r->count--;
    return 1;
}
int main(void) {
    struct ring r;
    r.capacity = input();
    if (r.capacity < 1 || r.capacity > 1000000)
        return 0;
    r.slots = malloc(r.capacity * sizeof *r.slots);
    if (!r.slots)
        return 0;
    r.head = r.count = 0;
    while (input()) {
        if (input()) {
            int value = input();
            if (value >= 0)
                put(&r, value);
        } else {
            int value = 0;
            take(&r, &value);
        }
        if (r.count < 0 || r.count > r.capacity || r.head < 0 || r.head >= r.capacity)
            reach_error();
    }
    free(r.slots);
}
