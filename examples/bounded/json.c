#include <assert.h>

// A value of JSON, of which digits, strings, lists and literals are known, in any 5 bytes.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 5 };
static unsigned char text[SIZE + 2];
static unsigned at;

static int literal(const char *word) {
    while (*word) {
        if (text[at] != (unsigned char)*word)
            return 0;
        word++;
        at++;
    }
    return 1;
}

static int string(void) {
    at++;
    while (text[at] != '"') {
        if (text[at] == 0)
            return 0;
        if (text[at] == '\\' && text[at + 1] != 0)
            at++;
        at++;
    }
    at++;
    return 1;
}

static int value(void) {
    int depth = 0;
    for (;;) {
        if (text[at] == '[') {
            depth++;
            at++;
            if (text[at] != ']')
                continue;
            at++;
            depth--;
        } else if (text[at] == '"') {
            if (!string())
                return 0;
        } else if (text[at] >= '0' && text[at] <= '9') {
            while (text[at] >= '0' && text[at] <= '9')
                at++;
        } else if (!literal(text[at] == 't' ? "true" : "null"))
            return 0;
        while (depth > 0 && text[at] == ']') {
            at++;
            depth--;
        }
        if (depth == 0)
            return 1;
        if (text[at] != ',')
            return 0;
        at++;
    }
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        text[i] = __VERIFIER_nondet_uchar();
    int valid = value();
    assert(at <= SIZE);
    if (valid)
        assert(at > 0);
    return 0;
}
