/* A scanner for strings and comments: it is never in both, and an escape is only in a string. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { CODE, STRING, ESCAPE, SLASH, COMMENT, STAR };

int main(void) {
    int state = CODE;
    int in_string = 0, in_comment = 0;
    for (;;) {
        int c = __VERIFIER_nondet_int();
        if (c == -1)
            break;
        switch (state) {
        case CODE:
            if (c == '"') {
                state = STRING;
                in_string = 1;
            } else if (c == '/') {
                state = SLASH;
            }
            break;
        case STRING:
            if (c == '\\') {
                state = ESCAPE;
            } else if (c == '"') {
                state = CODE;
                in_string = 0;
            }
            break;
        case ESCAPE:
            state = STRING;
            break;
        case SLASH:
            if (c == '*') {
                state = COMMENT;
                in_comment = 1;
            } else if (c == '"') {
                state = STRING;
                in_string = 1;
            } else if (c != '/') {
                state = CODE;
            }
            break;
        case COMMENT:
            if (c == '*')
                state = STAR;
            break;
        case STAR:
            if (c == '/') {
                state = CODE;
                in_comment = 0;
            } else if (c != '*') {
                state = COMMENT;
            }
            break;
        default:
            reach_error();
        }
        if (in_string && in_comment)
            reach_error();
        if (state == ESCAPE && !in_string)
            reach_error();
    }
    return 0;
}
