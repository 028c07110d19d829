// engine: houdini  verdict: safe
// A counter that an input moves stays a multiple of it, whichever of its few values the input has.
extern void reach_error(void);
extern int input(void);

int main(void)
{
    int k = input(), i;
    if (k < 0 || k > 8)
        return 0;
    for (i = 0; i < 1000 * k; i += k) {
    }
    if (i != 1000 * k)
        reach_error();
    return 0;
}
