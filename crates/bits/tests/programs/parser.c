extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
static unsigned char buf[4];static int pos;
static int digit(void){return buf[pos]>='0'&&buf[pos]<='9';}
static int number(void){int v=0;while(digit()){v=v*10+(buf[pos]-'0');pos++;}return v;}
static int expr(void){int v=number();while(buf[pos]=='+'||buf[pos]=='-'){unsigned char op=buf[pos++];int r=number();if(op=='+')v+=r;else v-=r;}return v;}
int main(){for(int i=0;i<3;i++)buf[i]=__VERIFIER_nondet_uchar();buf[3]=0;int v=expr();if(v>999||v< -99)reach_error();if(pos>3)reach_error();return 0;}
