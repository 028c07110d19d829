// engine: houdini  verdict: safe
// A sum of bytes is at most 255 times their number, which no run shows.
extern void reach_error(void);
extern unsigned char input(void);

int main(void)
{
    unsigned char n = input();
    unsigned s = 0, i = 0;
    while (i < n) {
        s += input();
        i++;
    }
    if (s > 65025)
        reach_error();
    return 0;
}
