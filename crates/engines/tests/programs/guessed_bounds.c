// An object of any size: that it ends where its length says is a guess over three variables.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned n = input(), room = input(), i, at;
    if (n > 1000 || room > 1000) return 0;
    if (n > room) return 0;
    at = room - n;
    for (i = 0; i < n; i++)
        if (at + i >= room) reach_error();
    return 0;
}
