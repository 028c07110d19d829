/* Tests made by Craig. Compile the program with -Dmain=program_main, and link it with this file: see the Makefile.
   `./tests` runs all tests and prints TAP; `./tests N` runs one of them in this process, for a debugger.
   What sanitizers find is printed with the test that led to it, and kept in findings.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct value { unsigned long long number; double real; };
#define V(x) { (unsigned long long)(x), (double)(x) }
struct test { const char *name; const struct value *inputs; int count; int fails; };

static const struct value *next_input(void);

