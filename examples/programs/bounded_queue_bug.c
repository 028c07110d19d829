/* Like bounded_queue.c, but a full queue takes one more and overwrites its oldest. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define CAPACITY 4

int slots[CAPACITY];
int first = 0, length = 0;

int main(void) {
    int sent = 0, received = 0;
    while (sent < 1000 && __VERIFIER_nondet_int()) {
        if (length <= CAPACITY && __VERIFIER_nondet_int()) {
            slots[(first + length) % CAPACITY] = sent;
            length++;
            sent++;
        } else if (length > 0) {
            int value = slots[first];
            first = (first + 1) % CAPACITY;
            length--;
            if (value != received)
                reach_error();
            received++;
        }
    }
    if (sent - received != length)
        reach_error();
    return 0;
}
