struct s { int x; } s, *p; int i; void nothing(void); int two(int a, int b);
void f(void) {
  s.y = 1; // error: no member `y`
  p.x = 1; // error: no struct or union
  s->x = 1; // error: `->` needs a pointer
  i = s; // error: cannot become
  i = *i; // error: `*` needs a pointer
  i = p * 2; // error: does not apply
  i = nothing(); // error: cannot become
  two(1); // error: 2 arguments are needed, and 1 are given
  two(1, 2, 3); // error: 2 arguments are needed, and 3 are given
  i(); // error: cannot be called
  5 = i; // error: only an object can be assigned to
  &5; // error: needs an object
  if (s) i = 0; // error: must be a number or a pointer
  switch (p) { } // error: needs an integer
  switch (i) { case 1: case 1: ; } // error: has the value 1
  goto nowhere; // error: there is no label `nowhere`
  break; // error: outside of loops
  continue; // error: outside of loops
}
int g(void) {
  i = 08; // error: not a suffix
}
