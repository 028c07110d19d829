// ends
int g;
int main(void) {
    int i = 1;
    int x = i++ + i++;
    return x;
}
