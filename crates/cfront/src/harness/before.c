/* Made by Craig: the program with the inputs of one run.
   Compile it with: gcc WIDTH -w FLAGS -fgnu89-inline
   To see what it covers, add: --coverage -Wl,-u,__gcov_dump */
#pragma GCC diagnostic ignored "-Wint-conversion"
#undef linux
#undef unix
#undef i386
#define register
#define main craig_main
static unsigned long long craig_next(unsigned queue);
static float craig_float(unsigned queue);
static double craig_double(unsigned queue);
static long double craig_long_double(unsigned queue);
static void craig_fill(unsigned list, void *object);
static void *craig_object(unsigned list, unsigned long long number);
extern char *craig_at[];
static void craig_error_reached(void) __attribute__((noreturn));
static void craig_assumption_failed(void) __attribute__((noreturn));
