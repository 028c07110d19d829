// Memory that is allocated, freed and lost.

//: uaf memory 1
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; free(p); return *p; }

//: double_free memory 1
int main(void) { int *p = malloc(4); if (!p) return 0; free(p); if (nint()) free(p); return 0; }

//: free_null safe
int main(void) { int *p = 0; free(p); free(NULL); return 0; }

//: free_interior memory 1
int main(void) { char *p = malloc(4); if (!p) return 0; p += nint() == 1; free(p); return 0; }

//: free_static memory 1
static int x; int main(void) { int *p = nint() ? &x : 0; free(p); return 0; }

//: free_literal memory 1
int main(void) { char *s = "abc"; if (nint()) free(s); return 0; }

//: overread memory 1
int main(void) { char *p = malloc(3); if (!p) return 0; memset(p, 1, 3); int r = p[2 + (nint() == 1)]; free(p); return r; }

//: underread memory 1
int main(void) { char *p = malloc(3); if (!p) return 0; p[0] = 1; int r = p[-(nint() == 1)]; free(p); return r; }

//: partial_int memory 1
int main(void) { char *p = malloc(6); if (!p) return 0; memset(p, 0, 6); int r = *(int *)(p + 4 * (nint() == 1)); free(p); return r; }

//: zero_size memory -
int main(void) { char *p = malloc(0); if (!p) return 0; if (nint()) p[0] = 1; free(p); return 0; }

//: zero_size_free safe
int main(void) { char *p = malloc(0); free(p); char *q = calloc(0, 5); free(q); return 0; }

//: malloc_neg safe
int main(void) { void *p = malloc(-4); assert(!p); return 0; }

//: malloc_huge safe
int main(void) { void *p = malloc(SIZE_MAX / 2 + 2); assert(!p); return 0; }

//: calloc_overflow safe
int main(void) { int *p = calloc(SIZE_MAX / 2, 4); assert(!p); return 0; }

//: calloc_zero safe
int main(void) { long *p = calloc(3, sizeof *p); if (!p) return 0; assert(p[0] == 0 && p[2] == 0); free(p); return 0; }

//: malloc_fails memory
int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }

//: malloc_never_fails safe --malloc-never-fails
int main(void) { int *p = malloc(4); *p = 1; assert(p); free(p); return 0; }

//: malloc_distinct safe
int main(void) { char *p = malloc(1), *q = malloc(1); if (p && q) assert(p != q); free(p); free(q); return 0; }

//: malloc_garbage error
int main(void) { unsigned char *p = malloc(1); if (!p) return 0; assert(*p != 77); free(p); return 0; }

//: malloc_same_read safe
int main(void) { unsigned char *p = malloc(1); if (!p) return 0; unsigned char a = p[0], b = p[0]; assert(a == b); free(p); return 0; }

//: realloc_keeps safe
int main(void) { int *p = malloc(8); if (!p) return 0; p[0] = 3; p[1] = 4; int *q = realloc(p, 16); if (!q) { assert(p[1] == 4); free(p); return 0; } assert(q[0] == 3 && q[1] == 4); free(q); return 0; }

//: realloc_old_dead memory 1
int main(void) { int *p = malloc(8); if (!p) return 0; p[0] = 3; int *q = realloc(p, 400000); if (!q) { free(p); return 0; } int r = p[0]; free(q); return r; }

//: realloc_shrink memory 1
int main(void) { int *p = malloc(8); if (!p) return 0; p[1] = 3; int *q = realloc(p, 4); if (!q) { free(p); return 0; } int r = q[1]; free(q); return r; }

//: realloc_fail_uaf safe
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 5; int *q = realloc(p, SIZE_MAX - 8); assert(!q); assert(*p == 5); free(p); return 0; }

//: realloc_null safe
int main(void) { int *p = realloc(NULL, 4); if (!p) return 0; *p = 1; assert(*p == 1); free(p); return 0; }

//: realloc_new_garbage error
int main(void) { char *p = calloc(1, 1); if (!p) return 0; char *q = realloc(p, 2); if (!q) { free(p); return 0; } assert(q[1] == 0); free(q); return 0; }

//: realloc_stack memory 1
int main(void) { int x; int *p = realloc(&x, 8); return p != 0; }

//: leak leak - --check leak
int main(void) { if (nint()) { int *p = malloc(4); (void)p; } return 0; }

//: leak_global_ok safe --check leak
static int *g; int main(void) { g = malloc(4); return 0; }

//: cleanup_global cleanup --check cleanup
static int *g; int main(void) { g = malloc(4); return 0; }

//: leak_overwritten leak --check leak
static int *g; int main(void) { g = malloc(4); g = malloc(4); free(g); return 0; }

//: leak_interior_ok safe --check leak
static char *g; int main(void) { g = malloc(4); if (g) g++; return 0; }

//: leak_in_list leak --check leak
struct n { struct n *next; }; static struct n *h; int main(void) { h = malloc(sizeof *h); if (!h) return 0; h->next = malloc(sizeof *h); free(h); h = 0; return 0; }

//: leak_exit safe --check leak
int main(void) { int *p = malloc(4); if (p) { *p = 1; exit(*p); } return 0; }

//: symbolic_size safe
int main(void) { unsigned n = nuint(); assume(n > 0 && n < 100); char *p = malloc(n); if (!p) return 0; p[0] = 1; p[n - 1] = 2; assert(p[n - 1] == 2); free(p); return 0; }

//: symbolic_size_bad memory -
int main(void) { unsigned n = nuint(); assume(n < 100); char *p = malloc(n); if (!p) return 0; p[n / 2] = 1; free(p); return 0; }

//: size_wrap memory -
int main(void) { unsigned n = nuint(); unsigned bytes = n * 4u; if (n != 1073741825u) return 0; int *p = malloc(bytes); if (!p) return 0; p[1] = 1; free(p); return 0; }

//: struct_too_small memory 1
struct s { int a, b; }; int main(void) { struct s *p = malloc(sizeof p->a); if (!p) return 0; p->b = 1; free(p); return 0; }

//: struct_assign_small memory 1
struct s { int a[4]; }; int main(void) { struct s s = {{1}}; struct s *p = malloc(12); if (!p) return 0; *p = s; free(p); return 0; }

//: aligned safe
int main(void) { void *p = aligned_alloc(32, 64); if (!p) return 0; assert((uintptr_t)p % 32 == 0); free(p); return 0; }

//: align_luck assume
int main(void) { void *p = malloc(64); if (!p) return 0; assert((uintptr_t)p % 4096 == 0); free(p); return 0; }

//: strdup_room memory -
int main(void) { char *p = strdup("abc"); if (!p) return 0; p[4] = 1; free(p); return 0; }

//: strndup_room safe
int main(void) { char *p = strndup("abcdef", 3); if (!p) return 0; assert(p[3] == 0 && strlen(p) == 3); free(p); return 0; }

//: cross_compare pointer --check pointer
int main(void) { int a[2], b[2]; return a < b; }

//: cross_sub pointer --check pointer
int main(void) { int a[2], b[2]; return b - a > 0; }

//: one_past_ok safe --check pointer
int main(void) { int a[2]; int *p = a + 2; return p - a == 2 && p > a; }

//: beyond_one_past pointer --check pointer
int main(void) { int a[2]; int *p = a + 3; return p != 0; }

//: malloc_zero_unique safe
int main(void) { char *p = malloc(0), *q = malloc(0); if (p && q) assert(p != q); free(p); free(q); return 0; }

//: free_fn_ptr safe
int main(void) { void (*f)(void *) = free; int *p = malloc(4); f(p); return 0; }

//: malloc_fn_ptr safe
int main(void) { void *(*f)(size_t) = malloc; int *p = f(4); if (p) *p = 1; free(p); return 0; }

//: memset_over memory 5
int main(void) { char b[4]; memset(b, 0, nuint() % 6); return b[0]; }

//: alloca_neg_index memory -
int main(void) { char *p = __builtin_alloca(4); p[-(nint() == 1)] = 1; return 0; }

//: vla_neg memory -
int main(void) { int n = nint(); assume(n == 1); n = -n; int a[n]; a[0] = 1; return 0; }

//: vla_index memory 3
int main(void) { int n = nint(); assume(n > 0 && n < 5); int a[n]; a[n] = 1; return 0; }

//: out_of_addresses undefined - --data-model ilp32
static int g(int n) { char b[0x10000000]; b[n] = 1; return b[n]; } int main(void) { int s = 0; for (int i = 0; i < 30; i++) s += g(i); assert(s != 30); return 0; }

//: addresses_again assume - --data-model ilp32 --check error
int main(void) { for (int i = 0; i < 10; i++) { char *p = malloc(0x30000000); if (!p) return 0; free(p); } assert(0); }

//: others_unwritten error
struct a { int x; }; struct b { int y; int z; };
int main(void) { struct b *q = malloc(sizeof *q); struct a *p = malloc(sizeof *p); if (!p || !q) return 0;
    q->y = 1; q->z = 2; assert(p->x == 0); free(p); free(q); return 0; }

//: others_unwritten_later error
struct a { int x; struct a *next; }; struct b { int z; struct b *next; };
int main(void) { struct a *l = 0; struct b *m = 0;
    while (nint()) { struct b *q = malloc(sizeof *q); if (!q) return 0; q->next = m; q->z = 0; m = q;
        struct a *p = malloc(sizeof *p); if (!p) return 0; p->next = l; l = p; }
    if (l && m) assert(l->x == m->z); return 0; }

//: realloc_of_freed_without_room memory 0
int main(void) { int *p = malloc(4); if (!p) return 0; free(p); if (!realloc(p, 8)) assert(0); return 0; }

//: realloc_of_no_bytes_without_room safe
int main(void) { int *p = malloc(0), *q = realloc(p, 8); if (!q) free(p); else { *q = 1; assert(*q == 1); free(q); } return 0; }
