// A sum is a polynomial of what was counted; what it says at the end needs a product of the last two.
// engine: houdini  verdict: safe
extern unsigned input(void);
extern void reach_error(void);
int main(void) {
    unsigned n = input(), i = 0;
    long long sum = 0;
    if (n > 100) return 0;
    while (i < n) { i++; sum += (long long)i * i; }
    if (6 * sum != (long long)n * (n + 1) * (2 * (long long)n + 1)) reach_error();
    return 0;
}
