// safe: --entry calls
// safe: --entry calls_back
// unsafe: --entry changed
/* A function without a body may change what it is given, and nothing that it does is a failure of its caller. */
struct node { struct node *next; int values[3]; };
int outside(char *text);
void visit(struct node *list);

int calls(char *text, struct node *list)
{
    if (text == 0 || list == 0)
        return 0;
    visit(list);
    outside(text);
    return text[0] + list->values[2] % 8;
}

int calls_back(int (*with)(char *))
{
    char buffer[10];
    return with ? with(buffer) % 2 : 0;
}

int changed(char *text)
{
    if (text == 0)
        return 0;
    text[0] = 1;
    outside(text);
    return 10 / text[0];
}
