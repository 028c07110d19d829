// safe: --entry sum
// unsafe: --entry sum_bug
// safe: --entry fill
// unsafe: --entry zero_bug
// safe: --entry user --replace divide
// unsafe: --entry careless --replace divide
// safe: --entry known
// safe: --entry overflow
// unsafe: --entry overflow_bug
// error cprover.c:64:58: not supported: '__VERIFIER_craig_not_understood': quantifiers are understood for constant ranges: --entry unknown_range
// error '__CPROVER_OBJECT_SIZE': --entry size
typedef unsigned long size_t;

unsigned sum(const unsigned *a, size_t n)
__CPROVER_requires(n <= 1000)
__CPROVER_requires(__CPROVER_is_fresh(a, n * sizeof(*a)))
{
    unsigned total = 0;
    size_t i = 0;
    while (i < n)
    __CPROVER_loop_invariant(i <= n)
    __CPROVER_decreases(n - i)
    {
        total += a[i];
        i++;
    }
    return total;
}

unsigned sum_bug(const unsigned *a, size_t n)
__CPROVER_requires(n <= 1000 && __CPROVER_is_fresh(a, n * sizeof(*a)))
{
    unsigned total = 0;
    for (size_t i = 0; i <= n; i++)
        total += a[i];
    return total;
}

void fill(char *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 3))
__CPROVER_assigns(a[0], a[1], a[2])
__CPROVER_ensures(a[0] == 1 && a[2] == 1)
{
    a[0] = a[1] = a[2] = 1;
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] == 1 }, "all set");
    __CPROVER_assert(__CPROVER_r_ok(a, 3), "readable");
}

void zero_bug(char *a, size_t n)
__CPROVER_requires(0 < n && n <= 10 && __CPROVER_is_fresh(a, n))
{
    __CPROVER_assert(__CPROVER_r_ok(a, n + 1), "readable");
}

int divide(int x, int y)
__CPROVER_requires(y > 0)
__CPROVER_assigns()
__CPROVER_ensures(x < 0 || __CPROVER_return_value <= x);

int user(int x) { return x < 0 ? 0 : divide(x, 2) <= x ? 1 : 1 / (x - x); }
int careless(int x) { return divide(x, 0); }

void unknown_range(int *a, int n) {
        __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 });
}

int known(int x) {
    int a[2];
    __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 2) ==> a[i] > x });
    __CPROVER_assert(a[1] > x, "as assumed");
    __CPROVER_precondition(a[0] > x, "as assumed");
    __CPROVER_cover(x);
    return 0;
}

int overflow(int x, int y) {
    if (__CPROVER_overflow_plus(x, y) || __CPROVER_overflow_unary_minus(x))
        return 0;
    return -x + (x + y);
}

int overflow_bug(int x, unsigned long y) { return __CPROVER_overflow_plus(x, 1ul) ? 0 : x + 1; }

size_t size(char *p) { return __CPROVER_OBJECT_SIZE(p); }
