// Functions of other verifiers' harnesses.

typedef __typeof__(sizeof(0)) size_t;

// Writes any values to that many elements of that size.
void __craig_havoc(void *, size_t count, size_t size);

// SeaHorn: the pointers may alias. It only guides that verifier.
void __craig_sea_dsa_alias(const void *p, ...) {
}

// SeaHorn: any contents.
void __craig_memhavoc(void *to, size_t size) {
    __craig_havoc(to, size, 1);
}
