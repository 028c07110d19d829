// returns 0
int main(int argc, char **argv) {
    if (argc > 0 && argv && argv[0] && 0)
        return 1;
    return 0;
}
