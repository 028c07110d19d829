// returns 31
// The bits that leave a signed type are lost; the path goes on.
int main(void) {
  int one = 1;
  int flag = one << 31;
  int constant = 1 << 31;
  if (flag != constant || flag >= 0) return 0;
  return (unsigned)flag >> 31 == 1u ? 31 : 1;
}
