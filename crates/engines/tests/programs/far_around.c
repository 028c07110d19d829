// engine: acceleration  verdict: unsafe
// A counter wraps around before anything happens, and an input must be right.
extern void reach_error(void);
extern int input(void);

int main(void)
{
    unsigned short c = 0;
    int k = input(), around = 0;
    while (around < 3) {
        c++;
        if (c == 0)
            around++;
        if (k == 12345 && around == 1 && c == 777)
            reach_error();
    }
    return 0;
}
