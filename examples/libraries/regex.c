// Regular expressions of characters, `.` and `x*`, without recursion: a star goes back to one more character.
//
// safe: --entry regex_match
// safe: --entry regex_find
// unsafe: -DBUG1 --entry regex_match
// unsafe: -DBUG2 --entry regex_match
#include <stddef.h>

static int fits(char wanted, char found) {
    return wanted == '.' || wanted == found;
}

/* Whether all of a text of n characters matches a pattern of m. The last star that was met is the only one that
   ever has to give back. */
/*@ requires \valid_read(pattern + (0..m-1)) && \valid_read(text + (0..n-1)); */
int regex_match(const char *pattern, size_t m, const char *text, size_t n) {
    size_t p = 0, t = 0;
    size_t star = 0, resume = 0; /* after the last star, and how far it has eaten */
    int has_star = 0;
    while (t < n || p < m) {
#ifdef BUG1 /* looks at the character after the last one of the pattern */
        if (p < m && pattern[p + 1] == '*') {
#else
        if (m - p > 1 && pattern[p + 1] == '*') {
#endif
            has_star = 1;
            star = p;
            resume = t;
            p += 2;
#ifdef BUG2 /* the text may be at its end */
        } else if (p < m && fits(pattern[p], text[t])) {
#else
        } else if (p < m && t < n && fits(pattern[p], text[t])) {
#endif
            p++;
            t++;
        } else if (has_star && resume < n && fits(pattern[star], text[resume])) {
            resume++;
            t = resume;
            p = star + 2;
        } else {
            return 0;
        }
    }
    return 1;
}

/* Where a pattern without stars is found first; n if nowhere. */
/*@ requires \valid_read(pattern + (0..m-1)) && \valid_read(text + (0..n-1)); */
size_t regex_find(const char *pattern, size_t m, const char *text, size_t n) {
    size_t start, i;
    for (start = 0; start < n && m <= n - start; start++) {
        i = 0;
        while (i < m && fits(pattern[i], text[start + i]))
            i++;
        if (i == m)
            return start;
    }
    return n;
}
