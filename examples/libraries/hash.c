// A hash table with open addressing: a key is looked for from its place on, around the end.
//
// safe: --entry table_find
// safe: --entry table_put
// unsafe: -DBUG1 --entry table_find
// unsafe: -DBUG2 --entry table_put
#include <stddef.h>

struct slot {
    unsigned key; /* 0: free */
    int value;
};

struct table {
    struct slot *slots;
    size_t room, used;
};

static size_t place(unsigned key, size_t room) {
    return key * 2654435761u % room;
}

/* The slot of a key, or the free one where it belongs; `room` if there is neither. */
/*@ requires \valid(t) && \valid(t->slots + (0..t->room-1)) && 0 < t->room <= 1000000;
  @ assigns \nothing;
  @ ensures \result <= t->room; */
size_t table_find(struct table *t, unsigned key) {
    size_t at = place(key, t->room), tried;
    for (tried = 0; tried < t->room; tried++) {
        if (t->slots[at].key == key || t->slots[at].key == 0)
            return at;
        at++;
#ifdef BUG1 /* one too far */
        if (at > t->room)
#else
        if (at == t->room)
#endif
            at = 0;
    }
    return t->room;
}

/*@ requires \valid(t) && \valid(t->slots + (0..t->room-1)) && 0 < t->room <= 1000000 && t->used <= t->room; */
int table_put(struct table *t, unsigned key, int value) {
    size_t at = table_find(t, key);
#ifndef BUG2 /* a full table has no slot */
    if (at == t->room)
        return 0;
#endif
    if (t->slots[at].key == 0)
        t->used++;
    t->slots[at].key = key;
    t->slots[at].value = value;
    return 1;
}
