extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
static unsigned char crc8(const unsigned char *d, int n){unsigned char c=0;for(int i=0;i<n;i++){c^=d[i];for(int b=0;b<8;b++)c=(c&0x80)?(unsigned char)((c<<1)^0x07):(unsigned char)(c<<1);}return c;}
int main(){unsigned char m[4];for(int i=0;i<3;i++)m[i]=__VERIFIER_nondet_uchar();if(crc8(m,3)==0x5a && m[0]==7 && m[1]==9)reach_error();return 0;}
