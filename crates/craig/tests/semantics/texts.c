// What library functions read though nothing comes of it: texts, formats, streams, all of what is compared.

//: output_nobody_looks_at memory
int main(void) { char b[4] = {'a', 'b', 'c', 'd'}; printf("%s", b); return 0; }

//: output_of_a_part safe
int main(void) { char b[4] = {'a', 'b', 'c', 'd'}; printf("%.4s%.*s", b, 3, b); return 0; }

//: output_of_more_than_there_is memory 5
int main(void) { char b[4] = {'a', 'b', 'c', 'd'}; fprintf(stderr, "%.*s", nint(), b); return 0; }

//: output_of_what_is_gone memory
int main(void) { char *b = malloc(2); if (!b) return 0; b[0] = 0; free(b); printf("%d %s", 1, b); return 0; }

//: output_of_null memory -
int main(void) { char *b = 0; printf("%s %d", b, 1); return 0; }

//: output_of_one_of_two safe
int main(void) { printf("%s", nint() ? "yes" : "no"); return 0; }

//: output_by_a_list memory
static void say(const char *format, ...) { va_list list; va_start(list, format); vfprintf(stderr, format, list); va_end(list); }
int main(void) { char b[4] = {'a', 'b', 'c', 'd'}; say("%d", 1); say("%d %s", 1, b); return 0; }

//: output_by_a_list_that_fits safe
static void say(const char *format, ...) { va_list list; va_start(list, format); vprintf(format, list); va_end(list); }
int main(void) { char b[4] = {'a', 'b', 'c', 0}; say("%d", 1); say("%d %s", 1, b); return 0; }

//: format_without_end memory
int main(void) { char b[2] = {'a', 'b'}; printf(b); return 0; }

//: too_few_arguments memory -
int main(void) { printf("%d %d", 1); return 0; }

//: too_few_places memory -
int main(void) { int i; scanf("%d %d", &i); return 0; }

//: name_without_end memory -
int main(void) { char b[2] = {'a', 'b'}; FILE *f = fopen(b, "r"); if (f) fclose(f); return 0; }

//: message_without_end memory -
int main(void) { char b[2] = {'a', 'b'}; perror("a"); perror(0); perror(b); return 0; }

//: output_to_no_stream memory
int main(void) { FILE *f = fopen("/no/such", "r"); fprintf(f, "a"); return 0; }

//: text_to_no_stream memory
int main(void) { FILE *f = fopen("/no/such", "r"); fputs("a", f); return 0; }

//: output_to_a_closed_stream memory -
int main(void) { FILE *f = fopen("/dev/null", "w"); if (!f) return 0; fclose(f); fprintf(f, "a"); return 0; }

//: streams_that_are_there safe
int main(void) { FILE *f = fopen("/dev/null", "w"); if (!f) return 0; fprintf(f, "%d", 1); fputs("a", f); fputs("a", stderr); fclose(f); return 0; }

//: bytes_after_a_difference memory
int main(void) { char a[4] = "abc", b[8] = "xbcdefg"; return memcmp(a, b, 8) > 0; }

//: bytes_that_are_there safe
int main(void) { char a[8] = "abc", b[8] = "xbcdefg"; return memcmp(a, b, 8) > 0; }

//: trust_fs1 memory -
int main(void) { char b[20] = "abcdefg"; sprintf(b, "%s %d", b + 4, 1234); return 0; }

//: trust_fs2 memory -
int main(void) { char b[20] = "abcdef"; sprintf(b, "%s", b + 3); return 0; }

//: trust_fs3 safe
int main(void) { char b[20] = "abcdef"; sprintf(b, "%s", b + 4); assert(!strcmp(b, "ef")); return 0; }

//: trust_fs4 safe
int main(void) { char b[20] = "abcdefghi"; int n = snprintf(b, 4, "%s%s", b + 5, "xyz"); assert(n == 7 && !strcmp(b, "fgh")); return 0; }

//: trust_fs5 memory -
int main(void) { char b[20] = "abcdefghi"; snprintf(b, 7, "%s%s", b + 5, "xyz"); return 0; }

//: trust_fs6 safe
int main(void) { char b[20] = "abcdefghi"; int n = sprintf(b, "%.2s-%4s|%-3s", "hello", "ab", "c"); assert(n == 11 && !strcmp(b, "he-  ab|c  ")); return 0; }

//: trust_fs7 safe
int main(void) { char b[20]; int n = snprintf(0, 0, "%s", "abc"); assert(n == 3); return 0; }

//: trust_fs8 safe
static int put(char *b, size_t n, const char *f, ...) { va_list l; va_start(l, f); int r = vsnprintf(b, n, f, l); va_end(l); return r; } int main(void) { char b[10]; assert(put(b, 10, "%s:%d", "ab", 7) == 4 && b[3] == '7'); return 0; }

//: trust_fs9 memory -
static int put(char *b, size_t n, const char *f, ...) { va_list l; va_start(l, f); int r = vsnprintf(b, n, f, l); va_end(l); return r; } int main(void) { char b[10] = "abcdef"; put(b, 10, "%s:%d", b + 3, 777777); return 0; }

//: output_moves_where_its_length_is_not_used error
int main(void) { FILE *f = fopen("x", "w+"); if (!f) return 0; fprintf(f, "%d", nint()); assert(ftell(f) <= 0); return 0; }
