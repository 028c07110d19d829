// Functions of other verifiers' harnesses that only guide those verifiers.

// SeaHorn: the pointers may alias.
void __craig_sea_dsa_alias(const void *p, ...) {
}
