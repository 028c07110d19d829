// returns 3 or ends
// assumes line 6: 'i' is not changed and used in an order that is open
int g;
int main(void) {
    int i = 1;
    int x = i++ + i++;
    return x;
}
