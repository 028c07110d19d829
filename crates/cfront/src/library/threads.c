// <pthread.h> in a program of one thread: each call returns 0 or the number of an error.

typedef unsigned long thread;

int __craig_any_int(void);
void __craig_require(_Bool);

static int __craig_thread_result(void) {
    int error = __craig_any_int();
    return error < 0 ? 0 : error;
}

// Threads do not look at what there is of them. But it must be there.
static int __craig_thread_object(const void *object) {
    __craig_require(object != 0);
    return __craig_thread_result();
}

int __craig_pthread_mutex_init(void *mutex, const void *attributes) {
    return __craig_thread_object(mutex);
}

int __craig_pthread_mutex_destroy(void *mutex) {
    return __craig_thread_object(mutex);
}

int __craig_pthread_mutex_lock(void *mutex) {
    return __craig_thread_object(mutex);
}

int __craig_pthread_mutex_trylock(void *mutex) {
    return __craig_thread_object(mutex);
}

int __craig_pthread_mutex_unlock(void *mutex) {
    return __craig_thread_object(mutex);
}

int __craig_pthread_cond_init(void *condition, const void *attributes) {
    return __craig_thread_object(condition);
}

int __craig_pthread_cond_destroy(void *condition) {
    return __craig_thread_object(condition);
}

int __craig_pthread_cond_signal(void *condition) {
    return __craig_thread_object(condition);
}

int __craig_pthread_cond_broadcast(void *condition) {
    return __craig_thread_object(condition);
}

thread __craig_pthread_self(void) {
    return 1;
}

int __craig_pthread_equal(thread a, thread b) {
    return a == b;
}
