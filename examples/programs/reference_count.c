/* An object with a counter of its users is freed when the last one leaves, and not used after that. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int users = 1, freed = 0;

void get(void) {
    if (freed)
        reach_error();
    users++;
}

void put(void) {
    if (freed)
        reach_error();
    users--;
    if (users == 0)
        freed = 1;
}

int main(void) {
    int mine = 1; /* how many of the users are here */
    while (mine > 0 && mine < 1000000) {
        if (__VERIFIER_nondet_int()) {
            get();
            mine++;
        } else {
            put();
            mine--;
        }
        if (users != mine)
            reach_error();
    }
    if (mine == 0 && !freed)
        reach_error();
    return 0;
}
