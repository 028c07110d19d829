// <wctype.h> in the C locale, where only ASCII has classes, and characters that are one byte.

int __craig_any_int(void);

static int __craig_wide_truth(_Bool holds) {
    int result;
    if (!holds)
        return 0;
    result = __craig_any_int();
    if (result == 0)
        result = 1;
    return result;
}

static _Bool __craig_is_wide_letter(unsigned c) {
    return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z');
}

static _Bool __craig_is_wide_digit(unsigned c) {
    return '0' <= c && c <= '9';
}

int __craig_iswalpha(unsigned c) {
    return __craig_wide_truth(__craig_is_wide_letter(c));
}

int __craig_iswdigit(unsigned c) {
    return __craig_wide_truth(__craig_is_wide_digit(c));
}

int __craig_iswalnum(unsigned c) {
    return __craig_wide_truth(__craig_is_wide_letter(c) || __craig_is_wide_digit(c));
}

int __craig_iswupper(unsigned c) {
    return __craig_wide_truth('A' <= c && c <= 'Z');
}

int __craig_iswlower(unsigned c) {
    return __craig_wide_truth('a' <= c && c <= 'z');
}

int __craig_iswxdigit(unsigned c) {
    return __craig_wide_truth(__craig_is_wide_digit(c) || ('A' <= c && c <= 'F') || ('a' <= c && c <= 'f'));
}

int __craig_iswspace(unsigned c) {
    return __craig_wide_truth(c == ' ' || ('\t' <= c && c <= '\r'));
}

int __craig_iswblank(unsigned c) {
    return __craig_wide_truth(c == ' ' || c == '\t');
}

int __craig_iswcntrl(unsigned c) {
    return __craig_wide_truth(c < ' ' || c == 127);
}

int __craig_iswprint(unsigned c) {
    return __craig_wide_truth(' ' <= c && c < 127);
}

int __craig_iswgraph(unsigned c) {
    return __craig_wide_truth(' ' < c && c < 127);
}

int __craig_iswpunct(unsigned c) {
    return __craig_wide_truth(' ' < c && c < 127 && !__craig_is_wide_letter(c) && !__craig_is_wide_digit(c));
}

unsigned __craig_towlower(unsigned c) {
    return 'A' <= c && c <= 'Z' ? c + 32 : c;
}

unsigned __craig_towupper(unsigned c) {
    return 'a' <= c && c <= 'z' ? c - 32 : c;
}

unsigned __craig_btowc(int c) {
    return 0 <= c && c <= 127 ? (unsigned)c : ~0u;
}

int __craig_wctob(unsigned c) {
    return c <= 127 ? (int)c : -1;
}
