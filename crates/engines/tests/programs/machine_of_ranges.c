// engine: partitioning  verdict: safe  boxes <= 20
// What a machine computes matters only by the ranges that it compares with.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int level = -89, mode = 1;
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (in < 1 || in > 3)
            return 0;
        if (in == 2 && mode == 1 && level <= -86) {
            level = level % 200 - 300;
            mode = 2;
        } else if (in == 3 && mode == 2 && level <= -86) {
            level = level / 5 % 21 - 43;
            mode = 3;
        } else if (in == 1 && mode == 3 && -86 < level && level <= -22) {
            level = level * 9 / 10 - 571;
            mode = 1;
        }
        if (mode == 3 && level > -22)
            reach_error();
        if (mode == 1 && level > -86)
            reach_error();
    }
}
