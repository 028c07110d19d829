int f(void) { return 1 } // error: expected `;` after `return`, found `}`
int g(void) { if (1 return 0; } // error: expected `)` after the condition
int x = ; // error: expected an expression
struct { int a } missing_semicolon_is_fine;
int h(int a, b) { return a; } // error: expected a declaration
int y = (1; // error: expected `)`
unsigned float z; // error: do not make a type together
int ok(void) { return 0; }
