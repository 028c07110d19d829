/* Flags are chosen in one place and combined in another: one combination is forgotten. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int mode, flag, fast = __VERIFIER_nondet_int(), safe = __VERIFIER_nondet_int();
    mode = fast ? 0x1120 : 0x1100;
    if (safe)
        flag = 0xd0;
    else
        flag = 0x30;
    for (int i = 0; i < __VERIFIER_nondet_int(); i++)
        fast = !fast;
    int state = mode | flag;
    if (state != 0x11d0 && state != 0x1130)
        reach_error();
    return 0;
}
