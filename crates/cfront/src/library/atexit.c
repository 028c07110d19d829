// What runs when the program ends.

typedef void (*handler)(void);

static handler __craig_exit_handlers[32];
static int __craig_exit_handler_count;
static handler __craig_quick_handlers[32];
static int __craig_quick_handler_count;

// There is room for 32 at least; more are not taken.
int __craig_atexit(handler function) {
    if (__craig_exit_handler_count >= 32)
        return 1;
    __craig_exit_handlers[__craig_exit_handler_count] = function;
    __craig_exit_handler_count++;
    return 0;
}

int __craig_at_quick_exit(handler function) {
    if (__craig_quick_handler_count >= 32)
        return 1;
    __craig_quick_handlers[__craig_quick_handler_count] = function;
    __craig_quick_handler_count++;
    return 0;
}

// The last one that was registered runs first.
void __craig_run_exit_handlers(void) {
    while (__craig_exit_handler_count > 0) {
        __craig_exit_handler_count--;
        __craig_exit_handlers[__craig_exit_handler_count]();
    }
}

void __craig_run_quick_handlers(void) {
    while (__craig_quick_handler_count > 0) {
        __craig_quick_handler_count--;
        __craig_quick_handlers[__craig_quick_handler_count]();
    }
}
