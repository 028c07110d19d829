// One line of an INI file: `key = value`, with blanks and comments.
//
// safe: --entry ini_line
// safe: --entry ini_copy
// unsafe: -DBUG1 --entry ini_line
// unsafe: -DBUG2 --entry ini_copy
#include <stddef.h>

struct span {
    size_t start, end;
};

struct ini_entry {
    struct span key, value;
};

static int blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Where key and value stand in a line of n characters: 1, or 0 if there is no entry, or -1 if it is malformed. */
/*@ requires \valid_read(line + (0..n-1)) && \valid(entry) && \separated(line, entry);
  @ ensures \result == 1 ==> entry->value.start <= entry->value.end && entry->value.end <= n; */
int ini_line(const char *line, size_t n, struct ini_entry *entry) {
    size_t i = 0, end;
    while (i < n && blank(line[i]))
        i++;
    if (i == n || line[i] == '#' || line[i] == ';')
        return 0;
    entry->key.start = i;
#ifdef BUG1 /* a line without `=` is left at its end */
    while (line[i] != '=')
#else
    while (i < n && line[i] != '=')
#endif
        i++;
    if (i == n)
        return -1;
    end = i;
    while (end > entry->key.start && blank(line[end - 1]))
        end--;
    if (end == entry->key.start)
        return -1;
    entry->key.end = end;
    i++;
    while (i < n && blank(line[i]))
        i++;
    entry->value.start = i;
    end = n;
    while (end > i && (blank(line[end - 1]) || line[end - 1] == '\n'))
        end--;
    entry->value.end = end;
    return 1;
}

/* Copies a part of a line as a string; returns 0 if there is no room. */
/*@ requires \valid_read(line + (0..n-1)) && \valid(to + (0..room-1)) && \separated(line, to);
  @ requires start <= end && end <= n; */
int ini_copy(const char *line, size_t n, size_t start, size_t end, char *to, size_t room) {
    size_t i;
#ifdef BUG2 /* no room for the null character */
    if (end - start > room)
#else
    if (end - start >= room)
#endif
        return 0;
    for (i = 0; i < end - start; i++)
        to[i] = line[start + i];
    to[i] = 0;
    (void)n;
    return 1;
}
