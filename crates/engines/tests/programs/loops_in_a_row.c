// engine: ufo  verdict: safe
// engine: ufo-cartesian  verdict: safe
// engine: vinta-boxes  verdict: safe
// engine: vinta  verdict: safe
// Labels of the first loop that are about `s` leave a head uncovered that those about `i` cover, and the other way round.
// Of unions of boxes, labels that became weaker took edges that had counted as impossible.
extern void reach_error(void);
int main(void) {
    int s = 0;
    for (int i = 0; i < 6; i++)
        s++;
    for (int j = 0; j < 7; j++)
        s++;
    if (s != 13)
        reach_error();
    return 0;
}
