// returns 0
// assumes padding keeps its value when a struct or a member of it is assigned
#include <stdlib.h>
#include <string.h>

struct padded { char c; int i; };
struct outer { struct padded many[20]; char last; };

int main(void) {
    struct padded a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 1;
    a.i = b.i = 2;
    if (memcmp(&a, &b, sizeof a) != 0)
        return 1;
    memset(&a, 0xff, sizeof a);
    memcpy(&b, &a, sizeof b);
    unsigned char *p = (unsigned char *)&b;
    if (p[1] != 0xff || p[3] != 0xff)
        return 2;
    struct outer *o = calloc(1, sizeof *o), q;
    memcpy(&q, o, sizeof q);
    p = (unsigned char *)&q;
    if (p[157] != 0 || p[163] != 0)
        return 3;
    return 0;
}
