// reaches error
typedef __typeof__(sizeof 0) size_t;
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void reach_error(void);

static int seen;
static int compare(const void *a, const void *b) {
    if (*(const int *)b == 3)
        reach_error();
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int numbers[] = {3}, key = 3;
    int *found = bsearch(&key, numbers, 1, sizeof(int), compare);
    return found == numbers;
}
