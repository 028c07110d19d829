// engine: frames  verdict: safe
// check: error memory
// A pointer moves by three words while the bytes that are left become twelve fewer.
extern unsigned long any(void);
extern void *malloc(unsigned long);

int main(void)
{
    unsigned long length = any();
    unsigned sum = 0, *words;
    if (length > 1000000 || length % 4 != 0)
        return 0;
    words = malloc(length);
    if (!words)
        return 0;
    while (length > 12) {
        sum += words[0] + words[1] + words[2];
        length -= 12;
        words += 3;
    }
    return (int)(sum & 1);
}
