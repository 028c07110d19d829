/* Like driver_skeleton.c, but a busy device is told of after the request was queued,
   and then the request is completed all the same. */
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
        if (length > 4096) {
            complete();
            return INVALID;
        }
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
