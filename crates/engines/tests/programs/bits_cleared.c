// Kernighan counts the bits of many words: what is left is part of the word.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    while (1) {
        unsigned word = __VERIFIER_nondet_uint(), rest = word;
        while (rest) {
            rest &= rest - 1;
            if (rest & ~word) reach_error();
        }
    }
}
