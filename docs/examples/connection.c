/* A connection, as a state machine: which of its branches can be taken? */
extern int nondet_int(void);

enum state { IDLE, OPEN, BUSY, CLOSED };

static enum state next(enum state s, int event)
{
    switch (s) {
    case IDLE:
        return event == 1 ? OPEN : IDLE;
    case OPEN:
        if (event == 2)
            return BUSY;
        if (event == 12345)
            return CLOSED;
        return OPEN;
    case BUSY:
        return event == 3 ? OPEN : BUSY;
    case CLOSED:
        return CLOSED;
    }
    return IDLE;
}

int main(void)
{
    enum state s = IDLE;
    int busy = 0;
    for (int i = 0; i < 4; i++) {
        s = next(s, nondet_int());
        if (s == BUSY)
            busy++;
        if (busy > 3)
            busy = 0;
    }
    if (s == CLOSED && busy > 0)
        return 1;
    return 0;
}
