// safe: --entry square
// unsafe: --entry add_five
// safe: --entry user --replace add_three
// unsafe: --entry careless --replace add_three
// safe: --entry largest
// unsafe: --entry writes_more
// safe: --entry fills
// unsafe: --entry fills_wrongly
// safe: --entry accesses
// unsafe: --entry accesses_too_much
// warning this loop invariant is ignored: --entry do_loop

// ESBMC's contracts, loop invariants and quantifiers.

int square(int x)
{
    __ESBMC_requires(x >= 0 && x < 1000);
    __ESBMC_ensures(__ESBMC_return_value == x * x);
    return x * x;
}

__ESBMC_contract
void add_five(int *p)
{
    __ESBMC_requires(__ESBMC_is_fresh(p, sizeof(int)) && *p < 1000);
    __ESBMC_ensures(*p == __ESBMC_old(*p) + 5);
    *p = *p + 3;
}

int counter;

void add_three(void)
{
    __ESBMC_requires(counter >= 0 && counter < 1000);
    __ESBMC_ensures(counter == __ESBMC_old(counter) + 3);
    __ESBMC_assigns(counter);
    counter += 3;
}

int user(void)
{
    counter = 7;
    add_three();
    __ESBMC_assert(counter == 10, "three more");
    return counter;
}

int careless(void)
{
    counter = -7;
    add_three();
    return counter;
}

int at;

int largest(const int *a, int n)
{
    __ESBMC_requires(n > 0 && n <= 10 && __ESBMC_is_fresh(a, n * sizeof(int)));
    __ESBMC_ensures(__ESBMC_forall(&at, !(0 <= at && at < n) || a[at] <= __ESBMC_return_value));
    int most = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}

int pair[2];

void writes_more(int i)
{
    __ESBMC_requires(i >= 0 && i < 2);
    __ESBMC_assigns(pair[0]);
    pair[i] = 1;
}

void fills(void)
{
    int a[10], i, k = 0;
    __ESBMC_loop_invariant(k >= 0 && k <= 10);
    __ESBMC_loop_assigns(k, a);
    __ESBMC_loop_invariant(__ESBMC_forall(&i, !(0 <= i && i < k) || a[i] == i));
    while (k < 10) {
        a[k] = k;
        k++;
    }
    __ESBMC_assert(__ESBMC_forall(&i, !(0 <= i && i < 10) || a[i] == i), "filled");
    __ESBMC_assert(__ESBMC_exists(&i, 0 <= i && i < 10 && a[i] == 9), "the last one");
}

void fills_wrongly(void)
{
    int k = 0;
    __ESBMC_loop_invariant(k >= 0 && k < 10);
    for (; k < 10; k++)
        ;
}

void accesses(void)
{
    int a[4];
    char *p = (char *)&a[0];
    __ESBMC_assert(__ESBMC_r_ok(p, sizeof(int) * 4), "all of it");
}

void accesses_too_much(void)
{
    int a[4];
    __ESBMC_assert(__ESBMC_w_ok(a, sizeof(int) * 5), "more");
}

void do_loop(void)
{
    int k = 0;
    __ESBMC_loop_invariant(k >= 0);
    do
        k++;
    while (k < 3);
}
