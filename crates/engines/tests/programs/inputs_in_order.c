// engine: exploration  verdict: unsafe
// A state machine that wants the right inputs in the right order.
extern void reach_error(void);
extern int input(void);

int main(void)
{
    int state = 0, level = -49;
    for (;;) {
        int in = input();
        if (in != 1 && in != 2 && in != 3 && in != 4)
            return 0;
        if (state == 0 && in == 3)
            state = 5;
        else if (state == 5 && in == 1 && level <= -43) {
            state = 7;
            level = (level % 20) * 3 + 60;
        } else if (state == 7 && in == 4 && level > 11)
            state = 9;
        else if (state == 9 && in == 2)
            state = 12;
        else if (state == 12 && in == 2)
            state = 13;
        else if (state == 13 && in == 1)
            state = 20;
        else if (state == 20 && in == 4)
            state = 33;
        else if (state == 33 && in == 4)
            state = 34;
        else if (state == 34 && in == 3)
            reach_error();
        else
            state = 0;
    }
}
