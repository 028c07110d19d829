// returns 0
// assumes 'fill' has no body: it returns any value and changes only what such functions are given
struct info {
    int size;
    int *data;
};
int fill(struct info *info, const int *changed);
struct info *find(void);

int main(void) {
    struct info info = {1, 0};
    int given = 3, kept = 4;
    fill(&info, &given);
    if (kept != 4)
        return 1;
    struct info *found = find();
    if (found) {
        found->size = 4;
        if (found->size != 4)
            return 2;
    }
    return 0;
}
