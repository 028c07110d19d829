extern int socket(int domain, int type, int protocol);
extern int bind(int socket, const void *address, unsigned length);
extern int listen(int socket, int backlog);
extern int accept(int socket, void *address, unsigned *length);

int main(void) {
    int s = socket(2, 1, 0);
    if (s < 0)
        return 1;
    if (bind(s, 0, 0) != 0)
        return 1;
    listen(s, 8);
    while (accept(s, 0, 0) >= 0)
        ;
    return 0;
}
