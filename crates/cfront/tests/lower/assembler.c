// returns 0
// Without instructions, assembler code changes nothing and hands its inputs on.
int main(void) {
    int x = 1, y = 2, z;
    __asm__("" : "+r"(x));
    __asm__ volatile("" : "=r"(z) : "0"(y));
    __asm__ volatile("" ::: "memory");
    if (x != 1 || z != 2)
        return 1;
    return 0;
}
