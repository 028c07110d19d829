// Streams: arbitrary contents, but what was found out about one stays true.

//: end_is_seen safe
int main(void) { int c = getchar(); if (c == EOF) assert(feof(stdin) || ferror(stdin)); return 0; }

//: end_is_not_yet_seen error
int main(void) { int c = getchar(); if (c != EOF) return 0; assert(feof(stdin)); return 0; }

//: no_end_before_reading safe
int main(void) { assert(!feof(stdin)); return 0; }

//: the_end_stays safe
int main(void) { if (getchar() == EOF && feof(stdin)) assert(getchar() == EOF && feof(stdin)); return 0; }

//: the_end_is_cleared error
int main(void) { if (getchar() != EOF || !feof(stdin)) return 0; clearerr(stdin); assert(getchar() == EOF); return 0; }

//: scanf_may_end error
int main(void) { int x; scanf("%d", &x); assert(!feof(stdin)); return 0; }

//: fgets_at_the_end safe
int main(void) { char b[8]; FILE *f = fopen("x", "r"); if (!f) return 0; if (!fgets(b, 8, f)) assert(feof(f) || ferror(f)); fclose(f); return 0; }

//: pushed_back safe
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; if (ungetc('a', f) == 'a') assert(fgetc(f) == 'a'); fclose(f); return 0; }

//: write_to_input safe
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; assert(fputc('a', f) == EOF); assert(ferror(f)); fclose(f); return 0; }

//: read_from_output safe
int main(void) { FILE *f = fopen("x", "wb"); if (!f) return 0; assert(fgetc(f) == EOF); assert(!feof(f) && ferror(f)); fclose(f); return 0; }

//: update safe
int main(void) { FILE *f = fopen("x", "rb+"); if (!f) return 0; int c = fgetc(f); if (c != EOF) assert(!ferror(f)); fclose(f); return 0; }

//: unseen_failure error
int main(void) { FILE *f = fopen("x", "w"); if (!f) return 0; fprintf(f, "x"); assert(!ferror(f)); fclose(f); return 0; }

//: position safe
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; if (fgetc(f) != EOF) { long n = ftell(f); assert(n == 1 || n == -1); } fclose(f); return 0; }

//: in_memory_read safe
int main(void) { char b[4] = "abc"; FILE *f = fmemopen(b, 3, "r"); if (!f) return 0; assert(fgetc(f) == 'a' && fgetc(f) == 'b' && fgetc(f) == 'c'); assert(!feof(f)); assert(fgetc(f) == EOF && feof(f)); fclose(f); return 0; }

//: in_memory_written safe
int main(void) { char b[8] = "1234567"; FILE *f = fmemopen(b, 8, "w"); if (!f) return 0; assert(fputs("ab", f) >= 0); fclose(f); assert(b[0] == 'a' && b[1] == 'b' && b[2] == 0 && b[4] == '5'); return 0; }

//: in_memory_printed error
int main(void) { char b[8] = "1234567"; FILE *f = fmemopen(b, 8, "w"); if (!f) return 0; fprintf(f, "abc"); fclose(f); assert(b[0] == '1'); return 0; }

//: format_by_va_list safe
static int wrap(char *to, const char *format, ...) { va_list ap; va_start(ap, format); int n = vsnprintf(to, 16, format, ap); va_end(ap); return n; }
int main(void) { char b[16]; assert(wrap(b, "%s-%d", "ab", 17) == 5); assert(b[0] == 'a' && b[3] == '1' && !b[5]); assert(wrap(b, "none") == 4); return 0; }

//: format_by_va_list_twice error 777
static int wrap(char *to, const char *format, ...) { va_list ap; va_start(ap, format); int n = vsprintf(to, format, ap); va_end(ap); return n; }
int main(void) { char b[16]; int n = nint() == 777 ? wrap(b, "%d", 100) : wrap(b, "%c", 'x'); assert(n == 1); return 0; }

//: format_from_elsewhere error
static int wrap(char *to, const char *format, ...) { va_list ap; va_start(ap, format); if (nint()) format = "%s%s"; int n = vsnprintf(to, 16, format, ap); va_end(ap); return n; }
int main(void) { char b[16]; assert(wrap(b, "%s", "ab", "cd") == 2); return 0; }
