Programs with what clang has built in and gcc has not, which therefore does not confirm their answers.

//: bit_reverse safe
int main(void) { unsigned x = nuint(); assert(__builtin_bitreverse32(1) == 0x80000000u && __builtin_bitreverse8(0x13) == 0xc8 && __builtin_bitreverse16(0x1234) == 0x2c48 && __builtin_bitreverse64(6) == 0x6000000000000000u); assert(__builtin_bitreverse8(__builtin_bitreverse8((unsigned char)x)) == (unsigned char)x); return 0; }

//: bit_reverse_error error 7
int main(void) { unsigned x = nuint(); assume(x < 256); assert(__builtin_bitreverse8(x) != 0xe0); return 0; }

//: rotate safe
int main(void) { unsigned x = nuint(); assert(__builtin_rotateleft32(0x80000001u, 36) == 0x18 && __builtin_rotateright8(0x81, 4) == 0x18 && __builtin_rotateleft16(1, 0) == 1 && __builtin_rotateright64(1, 1) == 0x8000000000000000u); assert(__builtin_rotateright32(__builtin_rotateleft32(x, 5), 5) == x); return 0; }

//: assumed assume - --check error
int main(void) { int x = nint(); __builtin_assume(x > 5); assert(x != 5); return 0; }

//: assumed_error error 6 --check error
int main(void) { int x = nint(); __builtin_assume(x > 5); assert(x != 6); return 0; }

//: assumed_wrongly memory 3
int main(void) { int x = nint(); __builtin_assume(x > 5); assert(x > 4); return 0; }

//: rotate_declared safe
unsigned char __builtin_rotateleft8(unsigned char, unsigned char); int main(void) { unsigned char x = nuint(); assert(__builtin_rotateleft8(0x81, 1) == 3 && __builtin_rotateleft8(x, 0) == x); return 0; }
