static unsigned long long craig_high;
static unsigned long long craig_next(unsigned queue) {
  unsigned i, n = 0;
  for (i = 0; craig_values[i].queue != -1u; i++)
    if (craig_values[i].queue == queue && n++ == craig_position[queue]) {
      craig_position[queue]++;
      craig_high = craig_values[i].high;
      return craig_values[i].value;
    }
  return 0;
}
static float craig_float(unsigned queue) {
  union { unsigned bits; float value; } u;
  u.bits = craig_next(queue);
  return u.value;
}
static double craig_double(unsigned queue) {
  union { unsigned long long bits; double value; } u;
  u.bits = craig_next(queue);
  return u.value;
}
static long double craig_long_double(unsigned queue) {
  union { struct { unsigned long long bits; unsigned short high; } parts; long double value; } u;
  u.parts.bits = craig_next(queue);
  u.parts.high = craig_high;
  return u.value;
}
static void craig_fill_number(unsigned list, unsigned number, void *object) {
  unsigned i, b;
  for (i = 0; craig_contents[i].list != -1u; i++)
    if (craig_contents[i].list == list && craig_contents[i].object == number)
      for (b = 0; b < craig_contents[i].bytes; b++)
        ((unsigned char *)object)[craig_contents[i].offset + b] = craig_contents[i].value >> 8 * b;
}
static void craig_fill(unsigned list, void *object) { craig_fill_number(list, craig_filled[list]++, object); }
static void *craig_object(unsigned list, unsigned long long number) {
  unsigned i;
  if (number == 0) return 0;
  if (craig_made[list][number - 1]) return craig_made[list][number - 1];
  for (i = 0; craig_contents[i].list != -1u; i++)
    if (craig_contents[i].list == list && craig_contents[i].object == number - 1) {
      void *object = __builtin_calloc(1, craig_contents[i].size);
      craig_fill_number(list, number - 1, object);
      return craig_made[list][number - 1] = object;
    }
  return 0;
}
extern long craig_write(int, const void *, unsigned long) __asm__("write");
extern void craig_exit(int) __asm__("_exit") __attribute__((noreturn));
extern void __gcov_dump(void) __attribute__((weak));
static void craig_end(int) __attribute__((noreturn));
static void craig_end(int status) {
  if (__gcov_dump) __gcov_dump();
  craig_exit(status);
}
static void craig_error_reached(void) {
  static const char message[] = "MESSAGE\n";
  craig_write(2, message, sizeof message - 1);
  craig_end(STATUS);
}
static void craig_assumption_failed(void) { craig_end(98); }
