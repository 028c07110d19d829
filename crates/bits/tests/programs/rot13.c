extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
char rot(char c){if(c>='a'&&c<='z')return (c-'a'+13)%26+'a';if(c>='A'&&c<='Z')return (c-'A'+13)%26+'A';return c;}
int main(){char c=__VERIFIER_nondet_char();if(rot(rot(c))!=c)reach_error();return 0;}
