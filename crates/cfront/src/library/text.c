// Texts that are only read: file names, modes, messages.

// Lowering leaves this out where the text is a literal.
void __craig_use_text(const char *text) {
    while (*text)
        text++;
}
