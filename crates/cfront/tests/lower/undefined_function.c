// returns 0
struct info {
    int size;
    int *data;
};
int fill(struct info *info, const int *untouched);
struct info *find(void);

int main(void) {
    struct info info = {1, 0};
    int constant = 3;
    fill(&info, &constant);
    if (constant != 3)
        return 1;
    struct info *found = find();
    if (found) {
        found->size = 4;
        if (found->size != 4)
            return 2;
    }
    return 0;
}
