// returns 0
typedef __typeof__(sizeof 0) size_t;
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int abs(int);

const char *names[] = {"zero", "one", "two"};

int main(void) {
    char buffer[16] = "ab";
    if (strlen(buffer) != 2 || strlen(names[2]) != 3)
        return 1;
    strcat(strcpy(buffer, "hello"), " you");
    if (strcmp(buffer, "hello you") || strncmp(buffer, "help", 3) || strcmp("a", "b") >= 0)
        return 2;
    if (strchr(buffer, 'o') != buffer + 4 || strrchr(buffer, 'o') != buffer + 7 || strchr(buffer, 'z'))
        return 3;
    if (*strstr(buffer, "yo") != 'y')
        return 4;
    strncpy(buffer, "xyz", 5);
    if (buffer[2] != 'z' || buffer[3] || buffer[4] || buffer[5] != ' ')
        return 5;
    if (names[1][0] != 'o' || sizeof "abc" != 4)
        return 6;
    return abs(-3) - 3;
}
