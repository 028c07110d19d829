// A port with four lights: nothing but their pins is ever set. What the loop does not write of an object is known.
// engine: bits-induction  verdict: safe
typedef unsigned char uint8_t;
typedef unsigned uint32_t;
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct led { uint8_t pin; uint8_t on : 1; uint8_t blink : 1; uint8_t phase : 6; };
static struct led leds[4] = {{3, 0, 1, 0}, {5, 0, 0, 0}, {7, 1, 1, 0}, {11, 0, 1, 0}};
int main(void) {
    uint32_t shadow = 0;
    for (;;) {
        unsigned k = __VERIFIER_nondet_uint() & 3;
        struct led *l = &leds[k];
        l->phase++;
        if (l->blink && l->phase == 0) l->on ^= 1;
        shadow = (shadow & ~(1u << l->pin)) | (uint32_t)l->on << l->pin;
        if (shadow & ~((1u << 3) | (1u << 5) | (1u << 7) | (1u << 11))) reach_error();
    }
}
