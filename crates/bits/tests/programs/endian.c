extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
void put(unsigned char*p,unsigned v){p[0]=v>>24;p[1]=v>>16;p[2]=v>>8;p[3]=v;}
unsigned get(const unsigned char*p){return ((unsigned)p[0]<<24)|((unsigned)p[1]<<16)|((unsigned)p[2]<<8)|p[3];}
int main(){unsigned char b[8];unsigned v=__VERIFIER_nondet_uint();put(b+2,v);if(get(b+2)!=v)reach_error();return 0;}
