// returns 3
// assumes a pointer from '__VERIFIER_nondet_pointer' is null, or that of a new object, or one such pointer of before
// assumes a pointer from 'elsewhere' is null or that of a new object
// assumes no memory outside of live objects is read, written or freed
struct large {
  int first[5];
  int last;
};
extern void *__VERIFIER_nondet_pointer(void);
extern struct large *elsewhere(void);
static struct large object;
int main(void) {
  long double third = 1.0L / 3;
  struct large *view = &object;
  view->last = third < 1 ? 3 : 0;
  int *any = __VERIFIER_nondet_pointer();
  if (any) *any = 1;
  struct large *other = elsewhere();
  if (other) other->last = 4;
  return view->last;
}
