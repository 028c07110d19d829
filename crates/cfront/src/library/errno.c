// <errno.h>: one object.

static int __craig_errno_value;

int *__craig___errno_location(void) {
    return &__craig_errno_value;
}

int *__craig___errno(void) {
    return &__craig_errno_value;
}
