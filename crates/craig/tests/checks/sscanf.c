// --check error
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) { int a = 0, b = 0, n; char w[8], c; unsigned x;
 assert(sscanf("12+30", "%d+%d", &a, &b) == 2 && a == 12 && b == 30);
 assert(sscanf("(x", "%d", &a) == 0 && a == 12);
 assert(sscanf("", "%d", &a) == -1);
 assert(sscanf(" hello 7", "%3s%c%n", w, &c, &n) == 2 && !strcmp(w, "hel") && c == 'l' && n == 5);
 assert(sscanf("0x1fG", "%x", &x) == 1 && x == 31);
 assert(sscanf("-017", "%i", &a) == 1 && a == -15);
 assert(sscanf("7 8", "%*d %d", &a) == 1 && a == 8);
 return 0; }
