// Sizes, alignments and offsets; the bytes of the objects are compared with gcc's.
struct plain { char a; int b; char c; double d; char e; long long f; short g; } plain = { 1, 2, 3, 4.5, 5, 6, 7 };
struct nested { char a; struct plain b; union { int i; char c[7]; double d; } u; char z; } nested = { 1, { .f = -1 }, { .c = "abc" }, 2 };
struct packed { char a; int b; short c; long long d; } __attribute__((packed)) packed = { 1, 2, 3, 4 };
struct part { char a; int b __attribute__((packed)); char c; int d; } part = { 1, 2, 3, 4 };
struct aligned { char a; int b __attribute__((aligned(16))); char c; } __attribute__((aligned(32))) aligned = { 1, 2, 3 };
struct bits { unsigned a : 3; unsigned b : 30; int c : 5; char d; unsigned e : 4; unsigned : 0; unsigned f : 1; } bits = { 5, 1000, -3, 9, 8, 1 };
struct mixed { char a : 3; short b : 9; int c : 20; long long d : 40; _Bool e : 1; unsigned char f : 8; } mixed = { -1, -2, -3, -4, 1, 200 };
struct unnamed { int a : 4; int : 5; int b : 6; char : 0; int c : 3; } unnamed = { 1, 2, 3 };
struct packed_bits { char a; unsigned b : 17; unsigned c : 13; long long d : 45; char e; } __attribute__((packed)) packed_bits = { 1, 0x1ffff, 0x1555, -5, 2 };
struct odd { int a : 7; char b; int c : 9; short d; } odd = { -2, 3, -4, 5 };
union either { unsigned a : 5; char b; struct { short c; char d; } e; } either = { 21 };
struct anonymous { int a; struct { int b, c; }; union { int d; char e; }; struct { struct { int f; }; }; } anonymous = { 1, { 2, 3 }, { 4 }, { { 5 } } };
struct anonymous by_name = { .c = 3, .a = 1, .e = 9, .f = 7 };
struct flexible { int n; char data[]; } flexible = { 3, { 'a', 'b', 'c' } };
struct zero { int n; int none[0]; int m; } zero = { 1, {}, 2 };
struct list { struct list *next; int value; } list = { &list, 1 };
enum tiny { T1, T2 } __attribute__((packed)); struct with_enum { char a; enum tiny b; enum { U1, U2 } c; } with_enum = { 1, T2, U2 };
long double extended[2]; struct le { char a; long double b; } le;
struct ptrs { char a; char *b; char c; void (*d)(void); long e; unsigned long f; } ptrs = { 1, 0, 2, 0, -1, -1 };
typedef int aligned_int __attribute__((aligned(8))); struct with_typedef { char a; aligned_int b; char c; } with_typedef = { 1, 2, 3 };
typedef unsigned int word16 __attribute__((mode(HI))); word16 half = 70000;
int sizes[] = {
  sizeof plain, sizeof nested, sizeof packed, sizeof part, sizeof aligned, sizeof bits, sizeof mixed, sizeof unnamed,
  sizeof packed_bits, sizeof odd, sizeof either, sizeof anonymous, sizeof(struct flexible), sizeof zero, sizeof list,
  sizeof with_enum, sizeof extended, sizeof le, sizeof ptrs, sizeof with_typedef, sizeof half, sizeof(void), sizeof(int (*)[3]),
  _Alignof(struct plain), _Alignof(struct packed), _Alignof(struct aligned), _Alignof(struct bits), _Alignof(struct mixed),
  _Alignof(struct packed_bits), _Alignof(struct le),
  __builtin_offsetof(struct plain, f), __builtin_offsetof(struct nested, u.c[3]), __builtin_offsetof(struct part, d),
  __builtin_offsetof(struct aligned, c), __builtin_offsetof(struct anonymous, f), (int)(long)&((struct nested *)0)->b.d,
  (char *)&((struct plain *)0)->d - (char *)0, sizeof(((struct nested *)0)->u), __builtin_offsetof(struct flexible, data) };
#pragma pack(push)
#pragma pack(1)
struct pack1 { char a; int b : 30; int c : 29; long long d; } pack1 = { 1, -2, -3, 4 };
#pragma pack(push, 2)
struct pack2 { char a; int b; char c; int d : 20; short e : 15; } pack2 = { 1, 2, 3, -4, -5 };
#pragma pack(pop)
struct pack3 { char a; struct pack2 b; unsigned c : 7, d : 31; } pack3 = { 1, { 2 }, 100, 0x7ffffff0 };
#pragma pack(pop)
struct pack4 { char a; struct pack1 b; int c; } pack4 = { 1, { 2 }, 3 };
