// --check error,memory
#include <assert.h>
struct s { int n; char t[]; };
static struct s a = { 3, "abc" }, b = { 2, { 1, 2 } }; struct { int k; struct { int v, w; } r[]; } c = { 1, { { 1, 2 }, { 3 } } };
int main(void) { assert(a.t[3] == 0 && b.t[1] == 2 && c.r[1].v == 3 && c.r[1].w == 0 && sizeof a == 4); return 0; }
