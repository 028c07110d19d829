// Sockets: anything may come from the network, and any call may fail.

typedef __typeof__(sizeof(0)) size_t;

int __craig_any_int(void);
short __craig_any_short(void);
unsigned __craig_any_uint(void);
unsigned long __craig_any_ulong(void);
_Bool __craig_any_bool(void);
void __craig_havoc(void *, size_t count, size_t size);
int __craig_outcome_failure(void);
int __craig_outcome_success(void);
int __craig_outcome_number(void);
long __craig_outcome_part(size_t);
void __craig_outcome_look(const void *, size_t);

int __craig_socket(int domain, int type, int protocol) {
    return __craig_outcome_number();
}

int __craig_socketpair(int domain, int type, int protocol, int ends[2]) {
    int first = __craig_outcome_number(), second = __craig_any_int();
    if (first < 0)
        return -1;
    if (second < 0 || second == first)
        second = first == 0;
    ends[0] = first;
    ends[1] = second;
    return 0;
}

int __craig_bind(int socket, const void *address, unsigned length) {
    __craig_outcome_look(address, length);
    return __craig_outcome_success();
}

int __craig_connect(int socket, const void *address, unsigned length) {
    __craig_outcome_look(address, length);
    return __craig_outcome_success();
}

int __craig_listen(int socket, int backlog) {
    return __craig_outcome_success();
}

int __craig_shutdown(int socket, int how) {
    return __craig_outcome_success();
}

// An address: as much of it as there is room for, and how long it is.
static void __craig_address(void *address, unsigned *length) {
    unsigned whole = __craig_any_uint();
    if (!address || !length)
        return;
    if (whole > 128)
        whole = 16;
    __craig_havoc(address, *length < whole ? *length : whole, 1);
    *length = whole;
}

int __craig_accept(int socket, void *address, unsigned *length) {
    int number = __craig_outcome_number();
    if (number >= 0)
        __craig_address(address, length);
    return number;
}

int __craig_getsockname(int socket, void *address, unsigned *length) {
    if (__craig_any_bool())
        return __craig_outcome_failure();
    __craig_address(address, length);
    return 0;
}

int __craig_getpeername(int socket, void *address, unsigned *length) {
    if (__craig_any_bool())
        return __craig_outcome_failure();
    __craig_address(address, length);
    return 0;
}

int __craig_setsockopt(int socket, int level, int name, const void *value, unsigned length) {
    __craig_outcome_look(value, length);
    return __craig_outcome_success();
}

int __craig_getsockopt(int socket, int level, int name, void *value, unsigned *length) {
    unsigned n = __craig_any_uint();
    if (__craig_any_bool())
        return __craig_outcome_failure();
    if (n > *length)
        n = *length;
    __craig_havoc(value, n, 1);
    *length = n;
    return 0;
}

long __craig_sendto(int socket, const void *from, size_t n, int flags, const void *address, unsigned length) {
    __craig_outcome_look(from, n);
    if (address)
        __craig_outcome_look(address, length);
    return __craig_outcome_part(n);
}

long __craig_recvfrom(int socket, void *to, size_t n, int flags, void *address, unsigned *length) {
    long done = __craig_outcome_part(n);
    if (done > 0)
        __craig_havoc(to, (size_t)done, 1);
    if (done >= 0)
        __craig_address(address, length);
    return done;
}

struct __craig_poll {
    int descriptor;
    short wanted, found;
};

// How many have something to report.
int __craig_poll(struct __craig_poll *all, unsigned long n, int timeout) {
    unsigned long i;
    int ready = 0;
    if (__craig_any_bool())
        return __craig_outcome_failure();
    for (i = 0; i < n; i++) {
        all[i].found = all[i].descriptor < 0 ? 0 : __craig_any_short();
        ready = ready + (all[i].found != 0);
    }
    return ready;
}

// Sets of descriptors have 1024 bits. Those that are ready are among those that were asked for.
static void __craig_ready(unsigned long *set) {
    size_t i;
    if (!set)
        return;
    for (i = 0; i < 1024 / (8 * sizeof *set); i++)
        set[i] = set[i] & __craig_any_ulong();
}

int __craig_select(int n, unsigned long *read, unsigned long *write, unsigned long *other, void *timeout) {
    int ready = __craig_outcome_number();
    if (ready >= 0) {
        __craig_ready(read);
        __craig_ready(write);
        __craig_ready(other);
    }
    return ready;
}
