// engine: acceleration  verdict: unsafe
// An input decides in each round; both ways are taken more than 65536 times.
extern void reach_error(void);
extern int input(void);

int main(void)
{
    int x = 0, y = 0;
    while (x <= 100000 && y <= 100000) {
        if (input())
            x++;
        else
            y++;
        if (x == 65536 && y == 70000)
            reach_error();
    }
    return 0;
}
