// returns 12
int order;
__attribute__((constructor)) static void last(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = 1; }
int main(void) { return order; }
