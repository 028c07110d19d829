
static const struct test *current;
static int used;

static const struct value *next_input(void)
{
    static const struct value none;
    return used < current->count ? &current->inputs[used++] : &none;
}

/* What a program of Craig may call; its own definitions win. */
#define WEAK __attribute__((weak))
enum { FAILED = 99 };
WEAK void reach_error(void) { fflush(stdout); _exit(FAILED); }
WEAK void __VERIFIER_error(void) { reach_error(); }
WEAK void __VERIFIER_assume(int condition) { if (!condition) _exit(0); }

int program_main(int argc, char **argv);

static int run(const struct test *test, char **argv)
{
    current = test;
    used = 0;
    return program_main(1, argv);
}

static void finding(const char *place, const char *what, const struct test *test, FILE *findings)
{
    printf("# finding: %s: %s [%s]\n", place, what, test->name);
    if (findings)
        fprintf(findings, "%s: error: %s [%s]\n", place, what, test->name);
}

/* The place of a stack frame (`#1 0x.. in f file.c:3:4`), if it is in a source file that is there. */
static int is_place(const char *frame, char *place, size_t room)
{
    const char *in = strstr(frame, " in "), *space = in ? strchr(in + 4, ' ') : NULL;
    if (!space)
        return 0;
    snprintf(place, room, "%s", space + 1);
    place[strcspn(place, "\n")] = 0;
    char *colon = strchr(place, ':');
    if (!colon)
        return 0;
    *colon = 0;
    int exists = access(place, R_OK) == 0;
    *colon = ':';
    return exists;
}

/* What sanitizers wrote about a test: how many things they found. The rest goes to standard error. */
static int findings_of(const struct test *test, FILE *log, FILE *findings)
{
    char line[4096], what[256] = "", place[4096];
    int count = 0;
    rewind(log);
    while (fgets(line, sizeof line, log)) {
        char *error = strstr(line, ": runtime error: "), *sanitizer = strstr(line, "Sanitizer: ");
        fputs(line, stderr);
        if (error) {
            *error = 0;
            error[strcspn(error + 1, "\n") + 1] = 0;
            finding(line, error + strlen(": runtime error: "), test, findings);
            count++;
        } else if (sanitizer && strstr(line, "ERROR: ")) {
            snprintf(what, sizeof what, "%.*s", (int)strcspn(sanitizer + 11, " \n"), sanitizer + 11);
        } else if (what[0] && is_place(line, place, sizeof place)) {
            finding(place, what, test, findings);
            what[0] = 0;
            count++;
        }
    }
    if (what[0]) {
        finding("(somewhere)", what, test, findings);
        count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    int count = sizeof tests / sizeof *tests, bad = 0;
    char *arguments[] = { argv[0], NULL };
    if (argc > 1) {
        int number = atoi(argv[1]);
        return number >= 0 && number < count ? run(&tests[number], arguments) : 2;
    }
    FILE *findings = fopen("findings.txt", "w");
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        int status = 0;
        FILE *log = tmpfile();
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            if (log)
                dup2(fileno(log), STDERR_FILENO);
            exit(run(&tests[i], arguments));
        }
        waitpid(child, &status, 0);
        int found = log ? findings_of(&tests[i], log, findings) : 0;
        int failed = !WIFEXITED(status) || WEXITSTATUS(status) == FAILED;
        int ok = !found && failed == tests[i].fails;
        printf("%sok %d - %s%s\n", ok ? "" : "not ", i + 1, tests[i].name, tests[i].fails ? " (ends in an error)" : "");
        bad += !ok;
        if (log)
            fclose(log);
    }
    if (findings)
        fclose(findings);
    return bad != 0;
}
