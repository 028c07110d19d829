// safe: --entry arrays --replace fill_static --replace fill_member --replace fill_all
// unsafe: --entry arrays_bug --replace fill_all
// safe: --entry rest --replace fill_rest
// unsafe: --entry part_of_an_element --replace fill_bytes
// safe: --entry elements --replace fill_some
// unsafe: --entry elements_bug --replace fill_some
// safe: --entry unsaid --replace says_nothing
// unsafe: --entry unsaid_pointer --replace says_nothing
// unsafe: --entry unsaid_static --replace says_nothing
// unsafe: --entry unsaid_global --replace says_nothing

int row[10], unused;
static struct table { int cells[10], n; } table;

int fill_static(void) __CPROVER_assigns(row) __CPROVER_ensures(row[0] == 1) { return row[0] = 1; }
void fill_member(struct table *t)
    __CPROVER_requires(__CPROVER_r_ok(t)) __CPROVER_assigns(t->cells) __CPROVER_ensures(t->cells[2] == 1) { t->cells[2] = 1; }
void fill_all(int *a)
    __CPROVER_requires(__CPROVER_r_ok(a, 40)) __CPROVER_assigns(__CPROVER_object_whole(a)) __CPROVER_ensures(a[0] == 1) { a[0] = 1; }
void fill_rest(int *a)
    __CPROVER_requires(__CPROVER_r_ok(a, 8)) __CPROVER_assigns(__CPROVER_object_from(a)) __CPROVER_ensures(a[0] == 1) { a[0] = 1; }
void fill_bytes(int *a)
    __CPROVER_requires(__CPROVER_r_ok(a, 8)) __CPROVER_assigns(__CPROVER_object_upto(a, 6)) { a[0] = 1; }
/*@ requires \valid(a + (0..9)); assigns a[2..4]; ensures a[2] == 1; */
void fill_some(int *a) { a[2] = 1; }
int says_nothing(int *p, int n)
    __CPROVER_requires(__CPROVER_r_ok(p)) __CPROVER_ensures(*p == __CPROVER_old(*p) + 1) { (*p)++; return n; }

void arrays(void) {
    int own[10];
    table.n = 5;
    fill_static();
    fill_member(&table);
    fill_all(own);
    __CPROVER_assert(row[0] == 1 && table.cells[2] == 1 && table.n == 5 && own[0] == 1, "what is promised");
}

void arrays_bug(void) {
    int own[10];
    own[9] = 9;
    fill_all(own);
    __CPROVER_assert(own[9] == 9, "it may have changed");
}

void rest(void) {
    int own[5] = { 7, 8 };
    fill_rest(own + 1);
    __CPROVER_assert(own[0] == 7 && own[1] == 1, "what comes before stays");
}

void part_of_an_element(void) {
    int own[2] = { 1, 2 };
    fill_bytes(own);
    __CPROVER_assert(own[1] == 2, "two of its bytes may have changed");
}

void elements(void) {
    int own[10] = { 0 };
    fill_some(own);
    __CPROVER_assert(own[1] == 0 && own[2] == 1 && own[5] == 0, "others stay");
}

void elements_bug(void) {
    int own[10] = { 0 };
    fill_some(own);
    __CPROVER_assert(own[4] == 0, "the last one may have changed");
}

void unsaid(void) {
    int x = 4;
    says_nothing(&x, 1);
    __CPROVER_assert(x == 5, "what is promised");
}

void unsaid_pointer(void) {
    int x[2] = { 4, 5 };
    says_nothing(x, 1);
    __CPROVER_assert(x[1] == 5, "it may have changed");
}

void unsaid_static(void) {
    int x = 4;
    table.n = 1;
    says_nothing(&x, 1);
    __CPROVER_assert(table.n == 1, "it may have changed");
}

void unsaid_global(void) {
    int x = 4;
    unused = 1;
    says_nothing(&x, 1);
    __CPROVER_assert(unused == 1, "it may have changed");
}
