/* Like bytecode.c, but to duplicate, no room is asked for. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define DEPTH 4

int stack[DEPTH];
int top = 0;

void push(int value) {
    if (top < 0 || top >= DEPTH)
        reach_error();
    stack[top++] = value;
}

int pop(void) {
    if (top < 1 || top > DEPTH)
        reach_error();
    return stack[--top];
}

int main(void) {
    for (;;) {
        switch (__VERIFIER_nondet_int()) {
        case 0: /* constant */
            if (top == DEPTH)
                return 1;
            push(__VERIFIER_nondet_int());
            break;
        case 1: { /* and */
            int a, b;
            if (top < 2)
                return 1;
            a = pop();
            b = pop();
            push(a && b);
            break;
        }
        case 2: /* duplicate */
            if (top < 1)
                return 1;
            {
                int a = pop();
                push(a);
                push(a);
            }
            break;
        case 3: /* drop */
            if (top < 1)
                return 1;
            pop();
            break;
        default:
            return 0;
        }
    }
}
