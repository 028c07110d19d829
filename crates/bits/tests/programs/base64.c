extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
static const char t[]="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int dec(char c){if(c>='A'&&c<='Z')return c-'A';if(c>='a'&&c<='z')return c-'a'+26;if(c>='0'&&c<='9')return c-'0'+52;if(c=='+')return 62;if(c=='/')return 63;return -1;}
int main(){unsigned char in[3],out[3];char e[4];for(int i=0;i<3;i++)in[i]=__VERIFIER_nondet_uchar();
e[0]=t[in[0]>>2];e[1]=t[((in[0]&3)<<4)|(in[1]>>4)];e[2]=t[((in[1]&15)<<2)|(in[2]>>6)];e[3]=t[in[2]&63];
int a=dec(e[0]),b=dec(e[1]),c=dec(e[2]),d=dec(e[3]);
out[0]=(a<<2)|(b>>4);out[1]=(b<<4)|(c>>2);out[2]=(c<<6)|d;
for(int i=0;i<3;i++)if(out[i]!=in[i])reach_error();return 0;}
