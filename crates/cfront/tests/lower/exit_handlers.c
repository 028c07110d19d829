// reaches error
int atexit(void (*)(void));
void exit(int);
void reach_error(void);

static int handled;
static void first(void) {
    if (handled == 1)
        reach_error();
}
static void second(void) {
    handled++;
}

int main(void) {
    if (atexit(first) || atexit(second))
        reach_error();
    exit(0);
}
