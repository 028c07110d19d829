/* A driver completes every request once, or marks it pending and queues it, and never holds its lock
   when it returns. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SUCCESS = 0, PENDING = 259, INVALID = -1 };

int lock_held, completed, pending;

void lock(void) {
    if (lock_held)
        reach_error();
    lock_held = 1;
}

void unlock(void) {
    if (!lock_held)
        reach_error();
    lock_held = 0;
}

void complete(void) {
    if (completed || pending)
        reach_error();
    completed = 1;
}

void mark_pending(void) {
    if (completed)
        reach_error();
    pending = 1;
}

int dispatch_read(int length, int device_busy) {
    lock();
    if (length <= 0) {
        unlock();
        complete();
        return INVALID;
    }
    if (device_busy) {
        mark_pending();
        unlock();
        return PENDING;
    }
    unlock();
    complete();
    return SUCCESS;
}

int dispatch_cleanup(void) {
    lock();
    unlock();
    complete();
    return SUCCESS;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int status;
        lock_held = completed = pending = 0;
        if (__VERIFIER_nondet_int())
            status = dispatch_read(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
        else
            status = dispatch_cleanup();
        if (lock_held)
            reach_error();
        if (status == PENDING ? !pending : !completed)
            reach_error();
    }
    return 0;
}
