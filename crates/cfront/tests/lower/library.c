// returns 0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int by_value(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;
}

static int strings(void) {
    char text[] = "a,bc;,d", buffer[32], *rest;
    if (strcspn(text, ";") != 4 || strspn("aab", "a") != 2 || strpbrk(text, ";,") != text + 1)
        return 1;
    if (strcmp(strtok(text, ",;"), "a") || strcmp(strtok(0, ",;"), "bc") || strcmp(strtok(0, ",;"), "d") ||
        strtok(0, ",;"))
        return 2;
    if (strtol(" -12x", &rest, 10) != -12 || *rest != 'x' || strtol("0x1F", 0, 0) != 31 || atoi("+7") != 7)
        return 3;
    errno = 0;
    if (strtol("99999999999999999999", &rest, 10) <= 0 || errno != ERANGE || *rest)
        return 4;
    if (strtoul("-1", 0, 10) != ~0ul || strtoll("z", 0, 36) != 35)
        return 5;
    if (sprintf(buffer, "%d|%5s|%-4u|%04x|%c%%", -42, "abc", 7u, 255, 'z') != 22)
        return 6;
    if (strcmp(buffer, "-42|  abc|7   |00ff|z%"))
        return 7;
    int so_far = 0;
    if (snprintf(buffer, 4, "%s%n%ld", "ab", &so_far, 123456L) != 8 || strcmp(buffer, "ab1") || so_far != 2)
        return 8;
    char *copy = strdup("xyz");
    if (copy && strcmp(copy, "xyz"))
        return 9;
    return 0;
}

static int characters(void) {
    for (int c = -1; c < 256; c++) {
        int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!isalpha(c) == letter || (isdigit)(c) != 0 != (c >= '0' && c <= '9'))
            return 1;
        if (toupper(c) != (c >= 'a' && c <= 'z' ? c - 32 : c))
            return 2;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (strings())
        return 10 + strings();
    if (characters())
        return 30;
    if (argc < 0 || argv[argc])
        return 40;
    if (rand() < 0 || abs(-3) != 3 || div(-7, 2).quot != -3 || div(-7, 2).rem != -1)
        return 50;
    int c = getchar();
    if (c < -1 || c > 255)
        return 51;
    return imaxabs(-5) - 5;
}
