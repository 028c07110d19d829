extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
unsigned f(unsigned n){return n<=1?1:n*f(n-1);}
int main(){unsigned n=__VERIFIER_nondet_uint();if(n<6){if(f(n)==121)reach_error();if(n==5&&f(n)!=120)reach_error();}return 0;}
