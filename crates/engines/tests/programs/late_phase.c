// The second phase begins after more rounds than any run makes: it is met by jumping there.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 50000000;
    while (x < 100000000) {
        if (x >= 50000000) y++;
        x++;
    }
    if (y != x) reach_error();
    return 0;
}
