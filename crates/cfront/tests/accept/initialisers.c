// Initialisers in all their forms; the bytes are compared with gcc's.
int a1[] = { 1, 2, [5] = 6, 7, [2] = 3 };
int a2[3][2] = { 1, 2, 3, 4, 5 };
int a3[3][2] = { { 1 }, { 2, 3 }, 4 };
int a4[2][2][2] = { { { 1, 2 }, 3, 4 }, [1][0][1] = 9, 10 };
int a5[10] = { [2 ... 5] = 7, [4] = 1, 2 };
struct pt { int x, y; } a6[] = { 1, 2, { 3 }, [4] = { .y = 5 }, [3].x = 8, 9 };
struct pt a7[4] = { [0 ... 2].y = 3, [1].x = 4 };
struct deep { int a; struct { struct pt p; int q[3]; } b[2]; char *s; } d1 = { 1, { { { 2, 3 }, { 4, 5 } }, 6, 7, 8 } };
struct deep d2 = { .b[1].q[2] = 5, .b[0] = { .p = { .y = 6 } }, .a = 1 };
struct deep d3 = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0 };
char s1[] = "abc", s2[5] = "ab", s3[3] = "abc", s4[] = { "braced" }, s5[2][4] = { "ab", { 'c' } }, s6[] = "a\0b" "c";
unsigned char s7[] = "\xff\377"; signed char s8[4] = "";
typeof(L'a') w1[] = L"h\u00e9"; unsigned short w2[] = u"\U0001F600"; unsigned w3[] = U"\U0001F600"; char w4[] = "\u00e9";
union un { char c; int i; struct pt p; } u1 = { 1 }, u2 = { .i = -2 }, u3[2] = { { .p = { 1, 2 } }, 5 }, u4 = { .i = 1, .c = 2 };
struct pt old1 = { x: 1, y: 2 }; int old2[4] = { [1] 5, [2] 6 };
int scalar = { 3 }; int sum = 1 + 2 * 3 - (4 << 2) / 5; unsigned neg = -1; char trunc = 300; long long big = 1ll << 40;
double dd = 1.0 / 3; float ff = 0.1; float fi = 16777217; int fromd = 3.99; double hex = 0x1.8p3; _Bool bb = 0.25, bp = &scalar;
struct pt literal = (struct pt){ 7, 8 }; struct pt nested_literal[2] = { (struct pt){ 1, 2 }, { 3, 4 } }; int from_literal[] = (int[]){ 1, 2, 3 };
struct { unsigned a : 4, b : 4; struct pt p; } anon[2] = { { 15, 1, 2 }, { .b = 7, .p.y = 3 } };
int *pointer = &a1[2]; char *text = "text"; void *self = &self; struct pt *member = &a6[1]; int *field = &a6[2].y; int (*function)(void);
char *offset = "hello" + 2; long difference = &a1[5] - &a1[2]; unsigned long size = sizeof a1 / sizeof a1[0];
enum { E1 = 5, E2, E3 = E1 * 2, E4 = sizeof(int[E3]) }; int enums[] = { E1, E2, E3, E4, [E1] = 1 };
int trailing[] = { 1, 2, 3, }; struct pt empty = {}; int conditional = 1 ? 2 : 3, elvis = 0 ?: 4, logic = 1 && 2 || 0;
static int tentative; static int tentative; static int tentative = 4; extern int later[]; int later[3] = { 1 }; int *use = &later[1];
struct strings { char name[8]; int n; char *p; } table[] = { "one", 1, 0, { "two", 2 }, [3] = { .name = "four", .n = 4 } };
const int constants[2] = { 1, 2 }; const char *const words[] = { 0, 0 };
int first(void) { static int calls = 10; static struct pt local[2] = { { 1, 2 } }; return calls + local[0].x + tentative; }
