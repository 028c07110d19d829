// engine: acceleration  verdict: unsafe
// What happens in every second round is the same in every two rounds.
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
    if (y == 500000 && x == 1000000)
        reach_error();
    return 0;
}
