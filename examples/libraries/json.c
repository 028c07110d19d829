// A tokenizer for JSON texts of any length.
//
// safe: --entry json_next
// safe: --entry json_skip
// unsafe: -DBUG1 --entry json_next
// unsafe: -DBUG2 --entry json_next
#include <stddef.h>

enum json_kind { JSON_END, JSON_PUNCTUATION, JSON_STRING, JSON_NUMBER, JSON_WORD, JSON_ERROR };

struct json_token {
    enum json_kind kind;
    size_t start, end;
};

static int space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int digit(char c) {
    return c >= '0' && c <= '9';
}

/* The next token of a text of n characters, from position `at` on. */
/*@ requires \valid_read(text + (0..n-1)) && at <= n && \valid(token) && \separated(text, token);
  @ ensures token->start <= token->end && token->end <= n; */
void json_next(const char *text, size_t n, size_t at, struct json_token *token) {
    char c;
    while (at < n && space(text[at]))
        at++;
    token->start = at;
    token->end = at;
    token->kind = JSON_END;
    if (at == n)
        return;
    c = text[at++];
    if (c == '"') {
        token->kind = JSON_STRING;
        while (at < n && text[at] != '"') {
            if (text[at] == '\\') {
#ifdef BUG1 /* the character after a backslash may be beyond the end */
                at++;
                if (text[at] == 'u')
                    at++;
#else
                at++;
                if (at < n && text[at] == 'u')
                    at++;
                if (at >= n)
                    break;
#endif
            }
            at++;
        }
        if (at >= n) {
            token->kind = JSON_ERROR;
            at = n;
        } else {
            at++;
        }
    } else if (c == '-' || digit(c)) {
        token->kind = JSON_NUMBER;
#ifdef BUG2 /* a number at the end of the text */
        while (digit(text[at]))
#else
        while (at < n && digit(text[at]))
#endif
            at++;
        if (at < n && text[at] == '.') {
            at++;
            while (at < n && digit(text[at]))
                at++;
        }
    } else if (c >= 'a' && c <= 'z') {
        token->kind = JSON_WORD;
        while (at < n && text[at] >= 'a' && text[at] <= 'z')
            at++;
    } else {
        token->kind = JSON_PUNCTUATION;
    }
    token->end = at;
}

/* How deep brackets nest at most; -1 if they do not match in number. */
/*@ requires \valid_read(text + (0..n-1)) && n <= 1000000; */
int json_skip(const char *text, size_t n) {
    int depth = 0, deepest = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        if (text[i] == '[' || text[i] == '{')
            depth++;
        if (text[i] == ']' || text[i] == '}')
            depth--;
        if (depth < 0)
            return -1;
        if (depth > deepest)
            deepest = depth;
    }
    return depth == 0 ? deepest : -1;
}
