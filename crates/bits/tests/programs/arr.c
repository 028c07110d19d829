extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(){int a[8];int i=__VERIFIER_nondet_int();if(i<0||i>=8)return 0;for(int k=0;k<8;k++)a[k]=k*k;a[i]=100;int s=0;for(int k=0;k<8;k++)s+=a[k];if(s!=140-i*i+100)reach_error();return 0;}
