// safe: --entry sum
// unsafe: --entry sum_bug
// safe: --entry fill
// unsafe: --entry zero_bug
// safe: --entry user --replace divide
// unsafe: --entry careless --replace divide
// safe: --entry known
// safe: --entry overflow
// unsafe: --entry overflow_bug
// safe: --entry any_range --timeout 20s
// unsafe: --entry any_range_bug
// error quantifiers are understood for ranges between two values: --entry no_range
// safe: --entry objects
// unsafe: --entry objects_bug
// safe: --entry guarded
// unsafe: --entry guarded_bug
// unsafe: --entry known_size
// safe: --entry zeroed
// unsafe: --entry zeroed_bug
// safe: --entry zeroed_with_padding
// safe: --entry same_results
// unsafe: --entry other_results
// safe: --entry by_predicate
// safe: --entry calls_predicate --replace by_predicate
// unsafe: --entry calls_predicate_bug --replace by_predicate
// safe: --entry skip_words --replace skip_word --timeout 20s
// unsafe: --entry skip_word_bug --replace skip_word
// safe: --entry reads_row --replace first_of_row
// unsafe: --entry reads_row_bug --replace first_of_row
// safe: --entry other_file --without-body cprover.c:removed
// safe: --entry same_structures
// unsafe: --entry same_structures_bug
// safe: --entry size
// safe: --entry implied
// unsafe: --entry implied_bug
// error '__CPROVER_OBJECT_SIZE': --entry size --data-model ilp32
typedef __typeof__(sizeof 0) size_t;

unsigned sum(const unsigned *a, size_t n)
__CPROVER_requires(n <= 1000)
__CPROVER_requires(__CPROVER_is_fresh(a, n * sizeof(*a)))
{
    unsigned total = 0;
    size_t i = 0;
    while (i < n)
    __CPROVER_loop_invariant(i <= n)
    __CPROVER_decreases(n - i)
    {
        total += a[i];
        i++;
    }
    return total;
}

unsigned sum_bug(const unsigned *a, size_t n)
__CPROVER_requires(n <= 1000 && __CPROVER_is_fresh(a, n * sizeof(*a)))
{
    unsigned total = 0;
    for (size_t i = 0; i <= n; i++)
        total += a[i];
    return total;
}

void fill(char *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 3))
__CPROVER_assigns(a[0], a[1], a[2])
__CPROVER_ensures(a[0] == 1 && a[2] == 1)
{
    a[0] = a[1] = a[2] = 1;
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] == 1 }, "all set");
    __CPROVER_assert(__CPROVER_r_ok(a, 3), "readable");
}

void zero_bug(char *a, size_t n)
__CPROVER_requires(0 < n && n <= 10 && __CPROVER_is_fresh(a, n))
{
    __CPROVER_assert(__CPROVER_r_ok(a, n + 1), "readable");
}

int divide(int x, int y)
__CPROVER_requires(y > 0)
__CPROVER_assigns()
__CPROVER_ensures(x < 0 || __CPROVER_return_value <= x);

int user(int x) { return x < 0 ? 0 : divide(x, 2) <= x ? 1 : 1 / (x - x); }
int careless(int x) { return divide(x, 0); }

int any_range(unsigned char n) {
    unsigned char a[4] = { 7, 0, 0, 0 };
    __CPROVER_assume(n < 4 && __CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 });
    __CPROVER_assert(n == 0, "the first is not zero");
    __CPROVER_assert(__CPROVER_exists { int i; 0 < i && i <= n + 1 && a[i] == 0 } && !__CPROVER_exists { int i; 0 <= i && i < n && a[i] }, "one is");
    return 0;
}

int any_range_bug(unsigned char n) {
    unsigned char a[4] = { 0, 0, 7, 0 };
    __CPROVER_assume(n <= 4 && __CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 });
    __CPROVER_assert(n < 2, "two are zero");
    return 0;
}

int no_range(int *a) {
    __CPROVER_assume(__CPROVER_forall { int i; a[i] == 0 });
    return 0;
}

int objects(char *p, size_t n)
__CPROVER_requires(0 < n && n < 100 && __CPROVER_is_fresh(p, n))
{
    char other[3];
    char *q = p + n;
    __CPROVER_assert(__CPROVER_POINTER_OBJECT(q) == __CPROVER_POINTER_OBJECT(p), "one past the end");
    __CPROVER_assert(__CPROVER_same_object(p, q - 1) && !__CPROVER_same_object(p, other + 1), "two objects");
    __CPROVER_assert(__CPROVER_POINTER_OFFSET(q) == (long)n && __CPROVER_POINTER_OFFSET(other + 2) == 2, "offsets");
    __CPROVER_assert(__CPROVER_POINTER_OBJECT((char *)0) != __CPROVER_POINTER_OBJECT(other), "null is no object");
    return 0;
}

int objects_bug(char *p, char *q)
__CPROVER_requires(__CPROVER_r_ok(p, 4) && __CPROVER_r_ok(q, 4))
{
    __CPROVER_assert(!__CPROVER_same_object(p, q), "they may be");
    return 0;
}

int guarded(char *p, size_t n)
__CPROVER_requires(n < 100 && __CPROVER_is_fresh(p, n))
{
    __CPROVER_precondition((n == 0 || __CPROVER_r_ok(p, n)) && (__CPROVER_w_ok(p, n) || n == 0), "as required");
    return 0;
}

int guarded_bug(char *p, size_t n)
__CPROVER_requires(n < 100 && __CPROVER_is_fresh(p, n))
{
    __CPROVER_precondition(__CPROVER_r_ok(p, n + 1) || n == 0, "one more");
    return 0;
}

int known_size(void) {
    int a[5];
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(a + 2) != 5 * sizeof(int), "all of it");
    return 0;
}

#define ZEROED(x) __CPROVER_forall { int i; (i >= 0 && i < sizeof(x)) ==> ((const unsigned char *)&x)[i] == 0 }
struct full { int a, b; void *p; };
struct padded { long a; char b; };

int zeroed(struct full *x) {
    __CPROVER_assume(x && ZEROED(*x));
    __CPROVER_assert(x->a == 0 && x->p == 0, "all of it");
    return 0;
}

int zeroed_bug(struct full *x) {
    __CPROVER_assume(x && x->a == 0 && x->p == 0);
    __CPROVER_assert(ZEROED(*x) || x->b == 1, "not all of it");
    return 0;
}

int zeroed_with_padding(struct padded *x) {
    if (x && ZEROED(*x))
        __CPROVER_assert(x->a == 0 && x->b == 0, "all of it");
    return 0;
}

int __CPROVER_uninterpreted_hash(const char *p, unsigned long n);

int same_results(char *p, char *q) {
    int first = __CPROVER_uninterpreted_hash(p, 3), other = __CPROVER_uninterpreted_hash(q, 3);
    __CPROVER_assert(p != q || first == other, "the same");
    __CPROVER_assert(first == __CPROVER_uninterpreted_hash(p, 3), "the same again");
    return 0;
}

int other_results(char *p) {
    __CPROVER_assert(__CPROVER_uninterpreted_hash(p, 3) == __CPROVER_uninterpreted_hash(p, 4), "others");
    return 0;
}

int sized(const char *b, size_t n) { return (0 < n) & (n < 100) & __CPROVER_is_fresh(b, n); }
int with_index(const char *b, size_t n, size_t *i) { return sized(b, n) & (i == 0 || __CPROVER_is_fresh(i, sizeof(*i))); }

int by_predicate(const char *b, size_t n, size_t *i)
__CPROVER_requires(with_index(b, n, i))
__CPROVER_assigns(i != 0: *i)
__CPROVER_ensures(i == 0 || *i < n)
{
    if (i)
        *i = 0;
    return b[n - 1];
}

int calls_predicate(void) {
    char text[3] = "ab";
    size_t at = 7;
    by_predicate(text, 3, 0);
    by_predicate(text, 3, &at);
    return text[at];
}

int calls_predicate_bug(void) {
    char text[3] = "ab";
    return by_predicate(text, 4, 0);
}

int skip_word(const char *b, size_t *i, size_t n)
__CPROVER_requires(__CPROVER_is_fresh(b, n) && __CPROVER_is_fresh(i, sizeof(*i)))
__CPROVER_assigns(*i)
__CPROVER_ensures(__CPROVER_old(*i) <= *i && (__CPROVER_old(*i) < n ? *i <= n : *i == __CPROVER_old(*i)))
;

int skip_words(const char *b, size_t *start, size_t n)
__CPROVER_requires(0 < n && __CPROVER_is_fresh(b, n) && __CPROVER_is_fresh(start, sizeof(*start)))
__CPROVER_assigns(*start)
__CPROVER_ensures(__CPROVER_old(*start) <= *start && (__CPROVER_old(*start) < n ==> *start <= n))
{
    size_t i = *start;
    while (i < n) {
        if (b[i] == ' ')
            i++;
        else if (!skip_word(b, &i, n))
            break;
    }
    *start = i;
    return i < n && b[i] == 0;
}

int skip_word_bug(const char *b, size_t n)
__CPROVER_requires(__CPROVER_is_fresh(b, n))
{
    int small = 0;
    return skip_word(b, (size_t *)&small, n);
}

int first_of_row(int (*row)[3])
__CPROVER_requires(__CPROVER_r_ok(row, sizeof *row))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == (*row)[0])
;

int reads_row(void) {
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    __CPROVER_assert(first_of_row(&rows[1]) == 4, "the second row");
    return 0;
}

int reads_row_bug(void) {
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    return first_of_row((int (*)[3])&rows[1][1]);
}

static int hidden(int x) { return x % 2; }
static int removed(int x) { return 1 / x; }
int __CPROVER_file_local_cprover_c_hidden(int x);
int __CPROVER_file_local_cprover_c_removed(int x) { return 3; }

int other_file(int x) {
    __CPROVER_assert(__CPROVER_file_local_cprover_c_hidden(x) < 2 && removed(0) == 3, "other files' names");
    return hidden(x);
}

int known(int x) {
    int a[2];
    __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 2) ==> a[i] > x });
    __CPROVER_assert(a[1] > x, "as assumed");
    __CPROVER_precondition(a[0] > x, "as assumed");
    __CPROVER_cover(x);
    return 0;
}

int overflow(int x, int y) {
    if (__CPROVER_overflow_plus(x, y) || __CPROVER_overflow_unary_minus(x))
        return 0;
    return -x + (x + y);
}

int overflow_bug(int x, unsigned long y) { return __CPROVER_overflow_plus(x, 1ul) ? 0 : x + 1; }

size_t size(char *p) { return __CPROVER_OBJECT_SIZE(p); }

void implied(int x)
{
    __CPROVER_assume(x > 3 ==> x < 5);
    __CPROVER_assert(x != 4 ==> x <= 3, "the other way round");
}

void implied_bug(int x)
{
    __CPROVER_assert(x > 3 ==> x < 5, "or more");
}

struct point { char name; struct { int x; int *y; } place; };

void same_structures(struct point p)
{
    struct point q = p;
    __CPROVER_assert(p == q, "a copy is equal");
    q.place.x = !q.place.x;
    __CPROVER_assert(p != q || p.place.x == q.place.x, "one member differs");
    __CPROVER_assert(!(p == q), "so the structures differ");
}

void same_structures_bug(struct point p, struct point q)
{
    if (p.name == q.name)
        __CPROVER_assert(p == q, "other members may differ");
}
