#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct n{int v;struct n*next;};
int main(){struct n*h=0;int s=0;for(int i=0;i<3;i++){if(__VERIFIER_nondet_int()){struct n*x=malloc(sizeof *x);if(!x)return 0;x->v=i+1;x->next=h;h=x;s+=i+1;}}
int t=0;while(h){struct n*q=h->next;t+=h->v;free(h);h=q;}if(t==5)reach_error();return 0;}
