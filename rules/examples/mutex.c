extern int __VERIFIER_nondet_int(void);
typedef struct {
    int owner;
} pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);

pthread_mutex_t accounts, log_file;

int main(void) {
    int amount = __VERIFIER_nondet_int();
    pthread_mutex_lock(&accounts);
    if (amount > 0) {
        pthread_mutex_lock(&log_file);
        pthread_mutex_unlock(&log_file);
    }
    pthread_mutex_unlock(&accounts);
    return 0;
}
