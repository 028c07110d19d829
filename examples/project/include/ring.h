#ifndef RING_H
#define RING_H

enum { CAPACITY = ROOM };

struct ring {
    unsigned first, used;
    unsigned char data[CAPACITY];
};

int ring_push(struct ring *r, unsigned char byte);
int ring_pop(struct ring *r, unsigned char *byte);
unsigned checksum(const unsigned char *data, unsigned length);

#endif
