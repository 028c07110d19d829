// safe: --entry increment
// unsafe: --entry increment_bug
// unsafe: --entry not_complete
// unsafe: --entry not_disjoint
// safe: --entry put
// unsafe: --entry put_bug
// safe: --entry user --replace put
// unsafe: --entry careless --replace put
// safe: --entry last
// unsafe: --entry variant_bug
// unsafe: --entry negative_variant
// safe: --entry entered
// unsafe: --entry entered_bug
// safe: --entry two
// unsafe: --entry two_bug
// safe: --entry apart
// safe: --entry in_a_body
// unsafe: --entry in_a_body_bug
// error `exits` is not read here: --entry ends
// error `\valid` must be a condition of its own here: --entry assumes_objects
// error there is no behavior `other`: --entry misnamed
// error `i` is quantified, so that this has no one value from before: --entry quantified
// error `ready` asks something of objects where none are made: --entry hidden
// warning `predicate` is not read: --entry put
// warning `\sum` is not understood: --entry put
// unsafe: --entry parts_of_proofs
/*@ predicate positive(int x) = x > 0; */

/*@ requires p == \null || \valid(p);
  @ behavior null:
  @   assumes p == \null;
  @   ensures \result == -1;
  @ behavior ok:
  @   assumes p != \null;
  @   requires *p < 1000;
  @   ensures *p == \old(*p) + 1 && \result == 0;
  @ complete behaviors;
  @ disjoint behaviors null, ok; */
int increment(int *p) {
    if (!p)
        return -1;
    (*p)++;
    return 0;
}

/*@ requires p == \null || \valid(p);
  @ behavior null: assumes p == \null; ensures \result == -1;
  @ behavior ok: assumes p != \null; requires *p < 1000; ensures *p == \old(*p) + 1 && \result == 0; */
int increment_bug(int *p) {
    if (!p)
        return -1;
    *p += *p != 7;
    return 0;
}

/*@ behavior small: assumes x < 10; ensures \result == 0;
  @ behavior large: assumes x > 10; ensures \result == 1;
  @ complete behaviors; */
int not_complete(int x) { return x > 10; }

/*@ behavior small: assumes x <= 10; ensures \result == 0 || x == 10;
  @ behavior large: assumes x >= 10; ensures \result == 1;
  @ disjoint behaviors small, large; */
int not_disjoint(int x) { return x >= 10; }

static int g, h;

/*@ behavior above: assumes x > 0; assigns g; ensures g == x;
  @ behavior below: assumes x <= 0; assigns h; ensures h == x;
  @ complete behaviors; disjoint behaviors; */
void put(int x) {
    if (x > 0)
        g = x;
    else
        h = x;
}

/*@ behavior above: assumes x > 0; assigns g;
  @ behavior below: assumes x <= 0; assigns h;
  @ complete behaviors; disjoint behaviors; */
void put_bug(int x) { g = x; }

void user(void) {
    h = 3;
    put(5);
    //@ assert g == 5 && h == 3;
    put(-1);
    //@ assert g == 5;
    //@ assert h == -1;
}

void careless(void) {
    h = 3;
    put(-1);
    //@ assert h == 3;
}

/*@ requires \valid(a + (0..n-1)) && 0 < n < 100;
  @ assigns a[0..n-1];
  @ ensures whole: \result == \old(n); */
int last(int *a, int n) {
    int i = 0;
    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop assigns i, a[0..n-1];
      @ loop variant n - i; */
    while (i < n) {
        a[i] = i;
        i++;
    }
    //@ assert reached: i == \at(n, Pre) && \at(n, Here) == n;
    n = 3;
    //@ assert \at(n, Pre) > 0;
    return i;
}

int variant_bug(int n) {
    int i = 0;
    //@ loop variant n - i;
    while (i < n && n < 1000) {
        if (i != 5)
            i++;
        else
            n++;
    }
    return i;
}

int negative_variant(int n) {
    //@ loop variant n;
    for (; n > -2; n--)
        ;
    return n;
}

int entered(int n) {
    int i = 3, s = 0;
    //@ loop invariant i >= \at(i, LoopEntry) && s == i - \at(i, LoopEntry);
    while (i < n) {
        i++;
        s++;
    }
    return s;
}

int entered_bug(int n) {
    int i = 3;
    //@ loop invariant i == \at(i, LoopEntry);
    while (i < n)
        i++;
    return i;
}

/*@ requires \valid(p) && \valid(q);
  @ ensures \separated(p, q) ==> *p == 1;
  @ ensures *q == 2; */
void two(int *p, int *q) {
    *p = 1;
    *q = 2;
}

/*@ requires \valid(p) && \valid(q);
  @ ensures *p == 1; */
void two_bug(int *p, int *q) {
    *p = 1;
    *q = 2;
}

/*@ requires \valid(p) && \valid(q) && \separated(p, q);
  @ ensures *p == 1; */
void apart(int *p, int *q) {
    *p = 1;
    *q = 2;
}

int in_a_body(void) {
    int a[4], b;
    //@ assert \valid(&a[3]) && !\valid(a + 4) && \separated(a + (0..3), &b);
    //@ assert \separated(a + (0..1), a + 2, &b) && !\separated(a + (0..2), a + 2);
    //@ assert \valid_read(a + (0..3)) && !\valid_read(a + (0..4));
    return 0;
}

int in_a_body_bug(int n) {
    int a[4];
    //@ assert n < 0 || n > 5 || \valid(a + (0..n-1));
    return 0;
}

//@ exits \false;
int ends(int x) { return x; }

//@ behavior b: assumes \valid(&x); ensures \result == x;
int assumes_objects(int x) { return x; }

//@ behavior b: assumes x > 0; ensures \result == x; complete behaviors other;
int misnamed(int x) { return x; }

/*@ requires \valid(a + (0..n-1));
  @ ensures \forall int i; 0 <= i < n ==> a[i] == \old(a[i]); */
void quantified(int *a, int n) { }

int ready(const int *p) {
    if (!p)
        return 0;
    return __CPROVER_r_ok(p, 40);
}

//@ requires ready(p); ensures \result == 0;
int hidden(int *p) { return p[9]; }

int parts_of_proofs(int x) {
    //@ assert \sum(x) == 0;
    //@ assert x != 7;
    return x;
}
