// returns 0
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
typedef __builtin_va_list va_list;

long long total(int count, va_list list) {
    long long sum = 0;
    while (count--)
        sum += va_arg(list, int);
    return sum;
}

long long sum(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    va_arg(again, int);
    long long result = total(count, list);
    result = result * 10 + va_arg(again, int);
    va_end(again);
    va_end(list);
    return result;
}

double mixed(const char *kinds, ...) {
    va_list list;
    double result = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'd')
            result += va_arg(list, double);
        else if (*kinds == 'p')
            result += *va_arg(list, int *);
        else
            result += va_arg(list, long long);
    }
    va_end(list);
    return result;
}

int main(void) {
    int x = 3;
    if (sum(3, 1, 2, 3) != 62)
        return 1;
    return mixed("dpl", 1.5, &x, 4ll) == 8.5 ? 0 : 2;
}
