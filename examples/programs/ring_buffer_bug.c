/* Like ring_buffer.c, but the writing index wraps one too late. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 8

int buffer[SIZE];
int head = 0, tail = 0, count = 0;

void put(int value) {
    if (count == SIZE)
        return;
    if (tail < 0 || tail >= SIZE)
        reach_error();
    buffer[tail] = value;
    tail = tail + 1;
    if (tail > SIZE)
        tail = 0;
    count++;
}

int get(void) {
    int value;
    if (count == 0)
        return -1;
    if (head < 0 || head >= SIZE)
        reach_error();
    value = buffer[head];
    head = head + 1;
    if (head == SIZE)
        head = 0;
    count--;
    return value;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(__VERIFIER_nondet_int());
        else
            get();
        if (count < 0 || count > SIZE)
            reach_error();
    }
    return 0;
}
