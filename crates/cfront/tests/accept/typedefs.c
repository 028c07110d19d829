// Names of typedefs are scoped: parameters, locals, members, labels and tags may have the same name.
typedef int T; typedef struct T { T T; struct T *next; } S; typedef T (*F)(T), A[3];
T plus(T T) { return T + 1; }
int shadow(void) { T x = 1; { int T = 2; x = T * x; T: if (x > 10) goto T; } { typedef char T; x += sizeof(T); } return x + sizeof(T); }
int declares(void) { T(x); T (*y) = &x; T z[2] = { (T)1, (T){ 2 } }; for (T T = 0; T < 3; T++) x = T; return x + *y + z[1]; }
int old(a, b) int a; T *b; { int T = 1; return a + *b + T; }
int unnamed(T, S *, F, A); int fn(int (T)); enum { T2 = sizeof(T) }; unsigned T3; struct { T : 3; T b : 2; unsigned T; } m;
int member(S *s) { return s->T + s->next->T + m.T; }
int casts(void) { return (T)-1 + (T)(2) + sizeof(T) * 3; }
extern T T4, *T5; static const T T6 = 3; T volatile const *T7;long int unsigned T8; int long long unsigned static T9;
