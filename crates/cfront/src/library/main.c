// What `main` is given: `count` strings, and a null pointer after them.

typedef __typeof__(sizeof(0)) size_t;

size_t __craig_any_size(void);
void __craig_assume(_Bool);
void *__craig_object(size_t);

char **__craig_main_arguments(int count) {
    char **argv;
    int i;
    __craig_assume((size_t)count < (size_t)-1 / 2 / sizeof(char *));
    argv = __craig_object(((size_t)count + 1) * sizeof(char *));
    for (i = 0; i < count; i++) {
        size_t length = __craig_any_size();
        char *argument;
        if (length > 131071)
            length = 0;
        argument = __craig_object(length + 1);
        argument[length] = 0;
        argv[i] = argument;
    }
    argv[count] = 0;
    return argv;
}
