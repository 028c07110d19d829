int f(void) { return undeclared; } // error: `undeclared` is not declared
int g(void) { unknown x; return 0; } // error: unknown type name `unknown`
struct incomplete s; // error: incomplete type `struct incomplete`
int a[-1]; // error: negative
struct dup { int x; int x; }; // error: another member has this name
int twice(void) { return 0; }
int twice(void) { return 1; } // error: `twice` is defined twice
int conflict(int);
int conflict(char *); // error: declared here with another type
int object; char *object; // error: declared here with another type
void v; // error: type `void`
int h(void) { int x; int x; return 0; } // error: already declared in this block
struct bits { int wide : 33; }; // error: not between 0 and 32
enum { E = 1.5 }; // error: must be an integer constant
_Static_assert(1 == 2, "no"); // error: static assertion failed: no
int once = 1; int once = 2; // error: `once` is defined twice
int nonconstant = 1; int copy = nonconstant; // error: must be constant
int functions[2](void); // error: elements of functions
