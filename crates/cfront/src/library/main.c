// What `main` is given: `count` strings, and a null pointer after them.

typedef __typeof__(sizeof(0)) size_t;

size_t __craig_any_size(void);
void __craig_assume(_Bool);
void *malloc(size_t);

char **__craig_main_arguments(int count) {
    char **arguments;
    int i;
    __craig_assume((size_t)count < (size_t)-1 / sizeof(char *));
    arguments = malloc(((size_t)count + 1) * sizeof(char *));
    __craig_assume(arguments != 0);
    for (i = 0; i < count; i++) {
        size_t length = __craig_any_size();
        char *argument;
        if (length > 131071)
            length = 0;
        argument = malloc(length + 1);
        __craig_assume(argument != 0);
        argument[length] = 0;
        arguments[i] = argument;
    }
    arguments[count] = 0;
    return arguments;
}
