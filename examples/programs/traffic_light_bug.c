/* Like traffic_light.c, but north hands over before it is red. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { RED, YELLOW, GREEN };

int main(void) {
    int north = RED, east = RED;
    int turn = 0, timer = 0;
    while (__VERIFIER_nondet_int()) {
        if (timer > 0) {
            timer--;
        } else if (north == GREEN) {
            north = YELLOW;
            turn = 1;
            if (__VERIFIER_nondet_int())
                east = GREEN;
        } else if (east == GREEN) {
            east = YELLOW;
        } else if (north == YELLOW) {
            north = RED;
            turn = 1;
        } else if (east == YELLOW) {
            east = RED;
            turn = 0;
        } else {
            if (turn == 0)
                north = GREEN;
            else
                east = GREEN;
            timer = __VERIFIER_nondet_int() ? 3 : 5;
        }
        if (north != RED && east != RED)
            reach_error();
    }
    return 0;
}
