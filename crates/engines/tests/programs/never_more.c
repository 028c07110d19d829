// engine: acceleration  verdict: safe
// Ways that take turns, in two rounds at once.
extern void reach_error(void);
extern int input(void);

int main(void)
{
    int x = 0, y = 0, n = input();
    while (x < n) {
        if (x % 2 == 0)
            y++;
        x++;
    }
    if (y > x)
        reach_error();
    return 0;
}
