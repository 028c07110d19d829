/* A tokenizer with room for NTOK tokens. It has a bug. */
#include <assert.h>
#include <stdlib.h>

#define NTOK 4

extern char next_char(void);

enum kind { WORD, NUMBER };

struct token {
    enum kind kind;
    int length;
    struct token *previous;
};

struct parser {
    int pos;
    int toknext;
    struct token *last;
};

static struct token *new_token(struct parser *p, enum kind kind)
{
    struct token *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->kind = kind;
    t->length = 1;
    t->previous = p->last;
    p->last = t;
    p->toknext++;
    return t;
}

int main(void)
{
    struct parser p = {0, 0, NULL};
    char text[8];
    for (int i = 0; i < 8; i++)
        text[i] = next_char();
    while (p.pos < 8 && text[p.pos] != '\0') {
        char c = text[p.pos];
        if (c >= '0' && c <= '9')
            new_token(&p, NUMBER);
        else if (p.last && p.last->kind == WORD)
            p.last->length++;
        else
            new_token(&p, WORD);
        p.pos++;
    }
    assert(p.toknext <= NTOK);
    return 0;
}
