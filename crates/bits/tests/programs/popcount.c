extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
int pop1(unsigned x){int c=0;while(x){x&=x-1;c++;}return c;}
int pop2(unsigned x){x=x-((x>>1)&0x55555555u);x=(x&0x33333333u)+((x>>2)&0x33333333u);x=(x+(x>>4))&0x0f0f0f0fu;return (x*0x01010101u)>>24;}
int main(){unsigned x=__VERIFIER_nondet_uint()&0xffff;if(pop1(x)!=pop2(x))reach_error();return 0;}
