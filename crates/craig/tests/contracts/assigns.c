// What a function writes is compared with its contract's `assigns`.
//
// safe: --entry adds
// unsafe: --entry adds_bug
// safe: --entry counts
// unsafe: --entry counts_bug
// unsafe: --entry counts_other_bug
// safe: --entry locals
// safe: --entry fill
// unsafe: --entry fill_bug
// unsafe: --entry frees_bug
// safe: --entry through
// unsafe: --entry through_bug
// unsafe: --entry outside_bug
// safe: --entry clear
// unsafe: --entry clear_bug
// safe: --entry frees
// safe: --entry array
// unsafe: --entry array_bug
// safe: --entry errors
// safe: --entry twice --replace adds
// unsafe: --entry twice_bug --replace adds
#include <stdlib.h>
#include <string.h>
struct buffer { int used, room; char *data; };
int calls;
static int limit;

/*@ requires \valid(b) && 0 <= b->room <= 1000 && 0 <= b->used <= b->room && \valid(b->data + (0..b->room-1));
  @ assigns b->used, b->data[b->used]; */
int adds(struct buffer *b, char c) {
    if (b->used == b->room) return 0;
    b->data[b->used++] = c;
    return 1;
}
/*@ requires \valid(b) && 0 <= b->room <= 1000 && 0 <= b->used <= b->room && \valid(b->data + (0..b->room-1));
  @ assigns b->used, b->data[b->used]; */
int adds_bug(struct buffer *b, char c) {
    if (b->used == b->room) { b->room = b->used; return 0; }
    b->data[b->used++] = c;
    return 1;
}
//@ assigns calls;
void counts(void) { calls++; static int own; own++; }
//@ assigns \nothing;
void counts_bug(void) { calls++; }
//@ assigns calls;
void counts_other_bug(void) { calls++; limit = 3; }
//@ assigns \nothing;
int locals(int n) {
    int a[10] = {0}; int *p = a;
    char *q = malloc(10);
    if (q) { memset(q, 1, 10); q[3] = 2; free(q); }
    for (int i = 0; i < 10; i++) p[i] = n;
    return a[3];
}
/*@ requires n >= 0 && n <= 1000 && \valid(a + (0..n-1)); assigns a[0..n-1]; */
void fill(char *a, int n) { memset(a, 0, n); }
/*@ requires n >= 0 && n <= 1000 && \valid(a + (0..n)); assigns a[0..n-1]; */
void fill_bug(char *a, int n) { for (int i = 0; i <= n; i++) a[i] = 1; }
//@ requires \valid(p); assigns \nothing;
void frees_bug(int *p) { free(p); }
void set(int *p) { if (p) *p = 7; }
//@ requires \valid(p) && \valid(q); assigns *p;
void through(int *p, int *q) { set(p); }
//@ requires \valid(p) && \valid(q); assigns *p;
void through_bug(int *p, int *q) { set(q); }
void unknown(int *);
//@ requires \valid(p); assigns \nothing;
void outside_bug(int *p) { unknown(p); }

int clear(struct buffer *b)
__CPROVER_requires(__CPROVER_is_fresh(b, sizeof(*b)))
__CPROVER_assigns(b->room > 0: b->used; __CPROVER_object_whole(b->data))
{
    if (b->room > 0) b->used = 0;
    return 0;
}

int clear_bug(struct buffer *b)
__CPROVER_requires(__CPROVER_is_fresh(b, sizeof(*b)))
__CPROVER_assigns(b->room > 0: b->used; __CPROVER_object_whole(b->data))
{
    if (b->room >= 0) b->used = 0;
    return 0;
}

//@ requires \valid(p); assigns \nothing; frees p;
void frees(int *p) {
    free(p);
}

static int table[4];
//@ requires 0 <= i < 4; assigns table[i];
void array(int i) {
    table[i] = 1;
}

//@ requires 0 <= i < 4; assigns table[0..1];
void array_bug(int i) {
    table[i] = 1;
}

// The library's own objects are not asked of.
//@ assigns \nothing;
int errors(const char *text) {
    static char last[2];
    last[0] = 'a';
    void *p = malloc(~(size_t)0);
    free(p);
    return last[0];
}

// Where a contract stands for a body, places are those before the call, too.
int twice(void) {
    char data[2] = {0, 0};
    struct buffer b = {0, 2, data};
    adds(&b, 1);
    return data[1];
}

void twice_bug(void) {
    char data[2] = {0, 0};
    struct buffer b = {0, 2, data};
    adds(&b, 1);
    //@ assert data[0] == 0;
}
