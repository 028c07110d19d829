// returns 0
// no memory
int trace;

int mark(int digit, int value) {
    trace = trace * 10 + digit;
    return value;
}

int classify(int n) {
    int score = 0;
    switch (n) {
        int hidden;
    case 1:
        score += 1;
    case 2:
        score += 2;
        break;
    case 10 ... 20:
        hidden = n;
        score = hidden;
        break;
    default:
        score = -1;
    }
    return score;
}

int gotos(int n) {
    int sum = 0;
again:
    if (n > 0) {
        sum += n--;
        goto again;
    }
    return sum;
}

int loops(void) {
    int count = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 2)
            continue;
        if (i == 8)
            break;
        count += i;
    }
    do {
        count++;
    } while (count < 0);
    while (1) {
        if (count++ > 20)
            break;
    }
    return count;
}

int main(void) {
    if (mark(1, 0) && mark(2, 1))
        return 1;
    if (!(mark(3, 1) || mark(4, 1)))
        return 2;
    if (trace != 13)
        return 3;
    int a = 1, b = 0;
    int both = (a && !b) + (a || b) * 2;
    if (both != 3)
        return 4;
    if (classify(1) != 3 || classify(2) != 2 || classify(15) != 15 || classify(99) != -1)
        return 5;
    if (gotos(4) != 10)
        return 6;
    if (loops() != 22)
        return 7;
    trace = 0;
    int chosen = mark(1, 0) ? mark(2, 5) : mark(3, 6);
    if (chosen != 6 || trace != 13)
        return 8;
    int last = (mark(4, 1), mark(5, 2));
    if (last != 2)
        return 9;
    int elvis = mark(6, 7) ?: mark(7, 8);
    if (elvis != 7 || trace != 13456)
        return 10;
    int inner = ({
        int twice = a + a;
        twice * 3;
    });
    return inner == 6 ? 0 : 11;
}
