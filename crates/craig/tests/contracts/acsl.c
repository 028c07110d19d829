// safe: --entry swap
// unsafe: --entry swap_bug
// safe: --entry clamp
// unsafe: --entry clamp_bug
// safe: --entry clear
// unsafe: --entry clear_bug
// safe: --entry user --replace clamp
// unsafe: --entry careless --replace clamp
// error 'plain' has no contract that could replace it: --entry plain --replace plain
// unsafe: --entry asserts
// unsafe: --entry loops
// error acsl.c:87:19: error: `\sum` is not understood: --entry odd
// warning acsl.c:94:24: this annotation is ignored: --entry plain

/*@ requires \valid(a) && \valid(b);
  @ assigns *a, *b;
  @ ensures *a == \old(*b) && *b == \old(*a);
  @*/
void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

/*@ requires \valid(a) && \valid(b);
    ensures *a == \old(*b) && *b == \old(*a); */
void swap_bug(int *a, int *b) {
    *a = *b;
    *b = *a;
}

//@ requires low <= high; assigns \nothing; ensures low <= \result <= high;
int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

//@ ensures low <= \result <= high;
int clamp_bug(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

/*@ requires 0 <= n <= 100 && \valid(a + (0..n-1)); */
void clear(char *a, int n) {
    /*@ loop invariant 0 <= i <= n;
      @ loop assigns a[0..n-1];
      @ loop variant n - i; */
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

/*@ requires 0 <= n <= 100 && \valid(a + (0..n-1)); */
void clear_bug(char *a, int n) {
    for (int i = n; i >= 0; i--)
        a[i] = 0;
}

int user(int x) {
    int table[10] = {0};
    return table[clamp(x, 0, 9)];
}

int careless(int x) {
    return clamp(x, 9, 0);
}

int plain(int x) {
    return x;
}

int asserts(int x) {
    if (x > 10) {
        //@ assert x > 10;
        x = 3;
    }
    //@ assert x < 10;
    return x;
}

int loops(int n) {
    int i = 0;
    /*@ loop invariant i <= 2; */
    while (i < 3)
        i++;
    return i;
}

//@ requires x == \sum(1, x);
int odd(int x) {
    return x;
}

int unbraced(int x) {
    if (x > 3)
        if (x > 4) /*@ assert x > 3; */ return 1;
    return 0;
}
