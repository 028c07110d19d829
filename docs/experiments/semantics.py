#!/usr/bin/env python3
"""Programs about the meaning of C, with answers established by gcc and its sanitizers: generated ones, and those that
are kept in crates/craig/tests/semantics.

    semantics.py CRAIG FIRST COUNT [--ilp32] [--keep FOLDER]
    semantics.py CRAIG FIRST COUNT --orders
    semantics.py CRAIG --programs crates/craig/tests/semantics/*.c

Each program computes a number from an input of eight values and compares it with a table. The table is what gcc -O0 and
-O2 agree on; in every other program one entry is wrong. Inputs for which a sanitizer stops the program have no entry.
So `--check error` must say `unsafe` exactly if an entry is wrong, and the default checks also if a sanitizer stopped
a run. Whatever Craig answers otherwise, other than `unknown`, is printed.

With --orders, programs have one statement whose operands change and use the same few variables, members and elements. Of
those about which gcc -Wsequence-point warns Craig must say that an order is open, as a failure or, where that depends
on a run, as an assumption; of the others it must not say that they fail so.

A kept program is run by gcc -O0 and -O2, and with sanitizers. One that is `safe` is run with several inputs, none of
which may fail. Of one that fails, INPUTS, separated by commas, are what fails it natively: an assertion, without any
report before it, or a report of the kind of its check. `-` for what gcc does not notice or cannot link.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

INTS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
        "unsigned long", "long long", "_Bool"]
HEAD = """#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
"""


def addresses(r):
    """An address on its way through integers, halves, bytes, unions and doubles."""
    ways = [
        "uintptr_t u = (uintptr_t)&x; int *p = (int *)u;",
        "uintptr_t u = (uintptr_t)&x + 40; int *p = (int *)(u - 40);",
        "uintptr_t u = (uintptr_t)&x ^ 0x5555; int *p = (int *)(u ^ 0x5555);",
        "uint32_t lo = (uint32_t)(uintptr_t)&x, hi = (uint32_t)((uintptr_t)&x >> 32);"
        " int *p = (int *)(((uintptr_t)hi << 32) | lo);",
        "unsigned char b[sizeof(int *)]; int *o = &x, *p; for (unsigned i = 0; i < sizeof o; i++)"
        " b[i] = ((unsigned char *)&o)[i]; memcpy(&p, b, sizeof p);",
        "union { int *p; uintptr_t u; } w; w.p = &x; uintptr_t u = w.u; int *p = (int *)u;",
        "struct { char c; int *p; } s = { 1, &x }, t; memcpy(&t, &s, sizeof t); int *p = t.p;",
        "double d; int *o = &x, *p; memcpy(&d, &o, sizeof o); memcpy(&p, &d, sizeof p);",
        "uintptr_t table[2] = { 0, (uintptr_t)&x }; int *p = (int *)table[in >= 0];",
        "uintptr_t u = (uintptr_t)&x / 4 * 4; int *p = (int *)u;",
        "int *a[3] = { &y, &x, &y }; int **q = a; q++; int *p = *q;",
        "void *v = &x; char *c = v; int *p = (int *)(c + 0);",
    ]
    where = r.choice(["static int x, y;", "int x = 0, y = 0;", "int x = 3, y = 4;"])
    return f"""long f(int in) {{ {where} {r.choice(ways)} if (in > {r.randrange(7)}) *p = in; else y = {r.randrange(9)};
    return x * 10 + y; }}"""


def copies(r):
    """memmove and memcpy, overlapping or not, of bytes and records."""
    ty = r.choice(["char", "short", "int", "struct p { char a; int b; }", "long"])
    name = ty if not ty.startswith("struct") else "struct p"
    define = ty + ";" if ty.startswith("struct") else ""
    n = r.randrange(4, 8)
    get = "a[i].b" if define else "a[i]"
    size = r.choice([f"{r.randrange(1, 4)} * sizeof *a", "in * sizeof *a", "(unsigned char)(in * 3) * sizeof *a"])
    call = r.choice(["memmove(a + FROM, a + TO, SIZE)", "memcpy(b, a + TO, SIZE); memcpy(a + FROM, b, SIZE)",
                     "memmove(a + in % 3, a + TO, SIZE)"])
    call = call.replace("FROM", str(r.randrange(3))).replace("TO", str(r.randrange(3))).replace("SIZE", size)
    return f"""{define}
long f(int in) {{ {name} a[{n + 3}], b[{n + 3}]; int i; memset(a, 0, sizeof a); memset(b, 0, sizeof b);
    for (i = 0; i < {n + 3}; i++) {get} = i * {r.randrange(1, 9)} + in;
    {call}; long s = 0; for (i = 0; i < {n + 3}; i++) s = s * 3 + {get}; return s; }}"""


def bitfields(r):
    """Layout and values of bit-fields."""
    fields = []
    for i in range(r.randrange(2, 6)):
        ty = r.choice(["int", "unsigned", "signed char", "unsigned char", "short", "long", "unsigned long", "_Bool"])
        most = {"signed char": 8, "unsigned char": 8, "short": 16, "long": 40, "unsigned long": 40, "_Bool": 1}.get(ty, 31)
        if r.random() < 0.2:
            fields.append(f"{ty} :0;" if ty != "_Bool" else "")
        fields.append(f"{ty} f{i}:{r.randrange(1, most + 1)};" if r.random() < 0.8 else f"{ty} f{i};")
    names = [f"f{i}" for i in range(9) if any(f" f{i}" in field for field in fields)]
    attribute = " __attribute__((packed))" if r.random() < 0.3 else ""
    sets = " ".join(f"s.{n} = in * {r.randrange(1, 200)} + {r.randrange(-50, 50)};" for n in names)
    reads = " + ".join(f"{r.randrange(1, 5)} * s.{n}" for n in names)
    byte = r.randrange(4)
    return f"""struct s {{ {' '.join(fields)} }}{attribute};
long f(int in) {{ struct s s; memset(&s, 0, sizeof s); {sets} s.{names[0]}++;
    return ({reads}) * 256L + ((unsigned char *)&s)[{byte} % sizeof s] + sizeof s; }}"""


def conversions(r):
    """Chains of casts, promotions, comparisons and shifts."""
    lines = [f"{r.choice(INTS)} v0 = in * {r.randrange(1, 70000)} - {r.randrange(70000)};"]
    for i in range(1, r.randrange(3, 6)):
        a = f"v{r.randrange(i)}"
        b = r.choice([f"v{r.randrange(i)}", str(r.randrange(-300, 70000)), f"{r.randrange(300)}u"])
        op = r.choice(["+", "-", "&", "|", "^", "<", ">", "==", ">>", "<<", "*", "/", "%"])
        if op in (">>", "<<"):
            b = f"(({b}) & 7)"
        if op in ("/", "%"):
            b = f"({b} | 1)"
        lines.append(f"{r.choice(INTS)} v{i} = ({r.choice(INTS)}){a} {op} {b};")
    return f"long f(int in) {{ {' '.join(lines)} return v{len(lines) - 1}; }}"


def callbacks(r):
    """Functions that are called through pointers and by the library."""
    n = r.randrange(3, 5)
    sign = r.choice(["x - y", "y - x", "(x > y) - (x < y)", "x % 3 - y % 3 ? x % 3 - y % 3 : x - y"])
    values = ", ".join(f"(in * {r.randrange(1, 9)} + {r.randrange(9)}) % 11" for _ in range(n))
    which = r.randrange(3)
    if which == 0:
        use = f"qsort(a, {n}, sizeof *a, cmp); long s = 0; for (int i = 0; i < {n}; i++) s = s * 16 + a[i]; return s;"
    elif which == 1:
        use = (f"int key = {r.randrange(9)}; int b[3] = {{ 1, 4, 7 }}; int *p = bsearch(&key, b, 3, sizeof *b, up);"
               " return p ? p - b : -1 - calls * 0;")
    else:
        use = "int (*t[])(const void *, const void *) = { cmp, up }; int n = t[in % 2](a, a + 1); return n + calls;"
    return f"""static int calls;
static int cmp(const void *p, const void *q) {{ int x = *(const int *)p, y = *(const int *)q; calls++; return {sign}; }}
static int up(const void *p, const void *q) {{ int x = *(const int *)p, y = *(const int *)q; return x - y; }}
long f(int in) {{ int a[] = {{ {values} }}; calls = 0; {use} }}"""


def through_pointers(r):
    """Functions that are known by their names, called through pointers: in variables, records, tables and arguments."""
    ways = [
        ("int", "const char *, const char *, ...", "sscanf", 'CALL("7 9", "%d%d", &x, &y)'),
        ("int", "const char *, const char *, ...", "sscanf", 'CALL(in > 3 ? "5" : "x", "%d", &x)'),
        ("void *", "void *, const void *, size_t", "memcpy", "*(char *)CALL(b + in % 4, c, 3)"),
        ("void *", "void *, const void *, size_t", "memmove", "*(char *)CALL(b + 1, b, in + 1)"),
        ("void *", "void *, int, size_t", "memset", "*(char *)CALL(b, in * 99, in + 1)"),
        ("char *", "char *, const char *", "strcpy", "*CALL(b + in % 4, c)"),
        ("size_t", "const char *", "strlen", "CALL(c + in % 4)"),
        ("int", "const char *, const char *", "strcmp", "CALL(b, c) < 0"),
        ("int", "int", "abs", "CALL(3 - in)"),
        ("int", "int", "toupper", "CALL('a' + in)"),
        ("long", "const char *, char **, int", "strtol", 'CALL("12x", 0, in + 3)'),
        ("void *", "size_t", "malloc", "!CALL(in + 1)"),
        ("void *", "size_t, size_t", "calloc", "((char *)CALL(in + 1, 2))[in]"),
    ]
    result, params, name, use = r.choice(ways)
    use = use.replace("CALL", r.choice(["p", "(*p)", "s.f", "t[in % 2]", "get(in)"]))
    return f"""#include <ctype.h>
typedef {result} (*fn)({params}); static fn get(int n) {{ static fn f; if (n > {r.randrange(-1, 9)}) f = {name}; return f ? f : {name}; }}
long f(int in) {{ fn p = in > {r.randrange(8)} ? {name} : get(in), t[] = {{ {name}, p }}; struct {{ int n; fn f; }} s = {{ in, t[in % 2] }};
    int x = {r.randrange(9)}, y = {r.randrange(9)}; char b[32] = "{r.choice(['', 'ab', 'xyz'])}", c[8] = "abcd";
    long v = (long)({use}); return v + x * 100 + y * 1000 + b[0] + 3 * b[1] + 7 * b[in] + s.n; }}"""


def overlaps(r):
    """Copies of strings within one array; sanitizers say which overlap."""
    to, at = r.choice(["in", "in % 3", "2", "0"]), r.choice(["in", "3", "5", "7 - in"])
    call = r.choice([f"strcpy(b + {to}, b + {at})", f"strncpy(b + {to}, b + {at}, {r.randrange(1, 5)})",
                     f"strcat(b + {to} + 8, b + {at})", f"strncat(b + {to} + 8, b + {at}, {r.randrange(1, 5)})",
                     f"memmove(b + {to}, b + {at}, {r.randrange(1, 5)})"])
    return f"""long f(int in) {{ char b[32] = "{r.choice(['abcdefg', 'ab', 'abcd'])}"; {call}; long s = 0;
    for (int i = 0; i < 12; i++) s = s * 5 + b[i]; return s; }}"""


def lifetimes(r):
    """Objects that begin and end: blocks, loops, goto, recursion; some runs use them too long."""
    use = r.choice(["1", "in < 6", "in != 3"])
    which = r.randrange(8)
    if which == 6:
        return f"""long f(int in) {{ int y = {r.randrange(9)}; int *p = ({{ int x = in; {use} ? &y : &x; }}); return *p + in; }}"""
    if which == 7:
        return f"""struct s {{ int *p; }}; long f(int in) {{ int y = {r.randrange(9)}; return *({{ int x = in; struct s s = {{ {use} ? &y : &x }}; s; }}).p + in; }}"""
    if which == 4:
        return f"""long f(int in) {{ int y = {r.randrange(9)}; int *p = &y; switch (in % 3) {{ case 1:; int x = 5; p = &x; y += *p;
        case 2: x = {r.randrange(9)}; p = &x; y += *p; if ({use}) p = &y; }} return *p + in; }}"""
    if which == 5:
        return f"""long f(int in) {{ int y = {r.randrange(9)}; int *p = &y; if (!({use})) p = &(int){{ {r.randrange(9)} }}; return *p + in; }}"""
    if which == 0:
        return f"""long f(int in) {{ int *p = 0, s = 0; for (int i = 0; i < 3; i++) {{ int x = i + in;
        if (!p || !({use})) p = &x; else {{ p = &x; s += *p; }} }} return s; }}"""
    if which == 1:
        return f"""long f(int in) {{ int n = 0, s = 0; again: ; int x = n * {r.randrange(1, 5)}; int *p = &x; *p += in;
        s += x; if (++n < {r.randrange(2, 5)}) goto again; return s; }}"""
    if which == 2:
        return f"""static int g(int n, int *q) {{ int x = n; if (q) *q += n; if (!n) return x; int y = g(n - 1, &x); return y + x; }}
long f(int in) {{ return g(in % 5, 0); }}"""
    return f"""long f(int in) {{ int y = {r.randrange(9)}; int *p = &y; {{ int x = 5; if (!({use})) p = &x; }} return *p + in; }}"""


def bounds(r):
    """Arrays of one and two dimensions, and indices that may leave them."""
    n, m = r.randrange(2, 5), r.randrange(2, 5)
    i, j = r.choice(["in % N", "in / 2", "in - 1", "in & 3"]), r.choice(["in % M", "in / 3", "(in * 5) % M"])
    heap = r.choice([f"int a[{n}][{m}];", f"int (*a)[{m}] = malloc({n} * sizeof *a); if (!a) return 0;",
                     f"static int a[{n}][{m}];", f"int k = {n}, l = {m}; int a[k][l];",
                     f"struct {{ int a[{n}][{m}], z; }} w = {{ .z = in }};\n#define a w.a\n"])
    done = " free(a);" if "malloc" in heap else ""
    return f"""long f(int in) {{ {heap} for (int i = 0; i < {n}; i++) for (int j = 0; j < {m}; j++) a[i][j] = i * 10 + j;
    int s = a[{i.replace('N', str(n))}][{j.replace('M', str(m))}]; a[in % {n}][0] += s; s += a[{n - 1}][{m - 1}];{done}
    return s; }}"""


def varargs(r):
    """Arguments of several types."""
    kinds = [r.choice(["i", "l", "d", "u", "p"]) for _ in range(r.randrange(2, 5))]
    pass_ = {"i": "in - 2", "l": "in * 100000L", "d": "in / 2.0", "u": "in * 3u", "p": "&x"}
    args = ", ".join(pass_[k] for k in kinds)
    get = {"i": "va_arg(ap, int)", "l": "va_arg(ap, long)", "d": "(long)va_arg(ap, double)",
           "u": "va_arg(ap, unsigned)", "p": "*va_arg(ap, int *)"}
    cases = " ".join(f"if (*s == '{k}') t = t * 7 + {get[k]};" for k in sorted(set(kinds)))
    return f"""static long sum(const char *s, ...) {{ va_list ap; va_start(ap, s); long t = 0; for (; *s; s++) {{ {cases} }}
    va_end(ap); return t; }}
long f(int in) {{ int x = in + 40; (void)x; return sum("{''.join(kinds)}", {args}); }}"""


def strings(r):
    """Functions of <string.h>, <stdlib.h> and <ctype.h>, with room that may be too small."""
    word = r.choice(["alpha", "ab", "a1b22c", "  42x", "-17", "x,y;z", ""])
    size = r.randrange(4, 12)
    calls = [
        f'char b[{size}]; strcpy(b, s); return strlen(b) + b[0];',
        f'char b[{size}]; strncpy(b, s, {size}); b[{size - 1}] = 0; return strlen(b);',
        f'char b[{size + 2}]; strcpy(b, "z"); strcat(b, s); return strlen(b) * 3 + b[1];',
        'return atoi(s) + strtol(s, 0, 16);',
        "char *p = strchr(s, s[in % 3 % (strlen(s) + 1)]); return p ? p - s : -1;",
        'return (strcmp(s, "alpha") > 0) - (strcmp(s, "alpha") < 0);',
        'char *p = strstr(s, "b"); return p ? p - s : -1;',
        f'char b[{size}]; int n = snprintf(b, sizeof b, "%d-%s", in * 9, s); return n * 100 + strlen(b);',
        'int n = 0; for (const char *p = s; *p; p++) n += *p >= 48 && *p <= 57; return n;',
        "return strspn(s, \"ab1\") * 10 + strcspn(s, \";,\");",
    ]
    return f"""long f(int in) {{ const char *t[2] = {{ "{word}", "{r.choice(['b', 'abc1', '7'])}" }}; const char *s = t[in & 1];
    {r.choice(calls)} }}"""


def unions(r):
    """One memory seen as several types."""
    ways = [
        "union { float f; unsigned u; } w; w.f = in * 1.5f; return w.u % 1000003;",
        "union { double d; unsigned char b[8]; } w; w.d = in - 2.5; return w.b[7] * 256 + w.b[6];",
        "union { struct { short a, b; } s; int i; } w; w.i = in * 70000; return w.s.b * 3 + (unsigned short)w.s.a;",
        "struct { int k; union { int i; char c[4]; }; } w = { .k = 1, .c = { 1, 2, 3, 4 } }; w.c[in & 3] = in; return w.i % 99991;",
        "unsigned long l = in * 0x0102030405UL; unsigned char *p = (unsigned char *)&l; return p[in & 7] + p[0] * 256;",
        "int a[2] = { in, 0x01020304 }; short *p = (short *)(void *)&a[1]; char *q = (char *)a; return q[4] * 10 + q[7];",
        "struct { char c; int i; short s; } a = { 1, in, 3 }, b = a; b.s += in; return memcmp(&a, &b, sizeof a.c) * 10 + b.s + offsetof(struct { char c; int i; }, i);",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def allocation(r):
    """malloc, calloc, realloc and free; sizes that wrap, use after free, double free in some runs."""
    n = r.randrange(2, 6)
    ways = [
        f"int *p = calloc({n}, sizeof *p); if (!p) return 0; p[in % {n}] = in; int s = 0; for (int i = 0; i < {n}; i++) s += p[i] * (i + 1); free(p); return s;",
        f"char *p = malloc({n}); if (!p) return 0; memset(p, in, {n}); char *q = realloc(p, {n + 4}); if (!q) {{ free(p); return 0; }} q[{n + 3}] = 1; int s = q[0] + q[{n - 1}]; free(q); return s;",
        f"int *p = malloc(sizeof *p); if (!p) return 0; *p = in; if (in {r.choice(['== 9', '== 3', '> 8'])}) free(p); int s = *p; if (in < 8 && in != 3) free(p); return s;",
        f"struct n {{ int v; struct n *next; }} *h = 0; for (int i = 0; i < in % 4; i++) {{ struct n *e = malloc(sizeof *e); if (!e) break; e->v = i * {n}; e->next = h; h = e; }} int s = 0; while (h) {{ struct n *e = h; s = s * 5 + e->v; h = h->next; free(e); }} return s;",
        f"int **t = malloc({n} * sizeof *t); if (!t) return 0; for (int i = 0; i < {n}; i++) {{ t[i] = malloc(sizeof(int)); if (!t[i]) exit(0); *t[i] = i + in; }} int s = *t[in % {n}]; for (int i = 0; i < {n}; i++) free(t[i]); free(t); return s;",
        "free(NULL); int *p = in > 20 ? &in : NULL; return p ? *p : in;",
        "void *p = malloc(-4); if (p) return 1; return 2 + in;",
        f"char *p = __builtin_alloca({n} + in); for (int i = 0; i < {n} + in; i++) p[i] = i; return p[{n} + in - 1] + p[{r.choice([str(n - 1), str(n + 6)])}];",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def initialisers(r):
    """Designators, nested braces, strings, flexible arrays, compound literals."""
    v = [r.randrange(1, 90) for _ in range(4)]
    ways = [
        f"int a[6] = {{ [2] = {v[0]}, {v[1]}, [0] = {v[2]} }}; return a[in % 6];",
        f"struct {{ int a; struct {{ char b, c; }} d[2]; int e; }} s = {{ {v[0]}, {{ {{ 1, 2 }}, {{ .c = {v[1]} }} }}, .e = in }}; return s.a + s.d[in & 1].c * 3 + s.e;",
        f'char s[8] = "{r.choice(["abc", "abcdefg", ""])}"; return s[in] + sizeof "x\\0y";',
        f"static struct {{ int n; char t[]; }} s = {{ 2, {{ {v[0]}, {v[1]} }} }}; return s.t[in & 1] + s.n;",
        f"int *p = (int[]){{ {v[0]}, in, {v[2]} }}; return p[in % 3] + (struct {{ int x, y; }}){{ .y = {v[3]} }}.y;",
        f"int a[2][3] = {{ {v[0]}, {v[1]}, {v[2]}, {v[3]} }}; return a[in & 1][in % 3] + sizeof a / sizeof *a;",
        f"union {{ char c[4]; int i; }} u = {{ .c = {{ [1] = {v[0]} }} }}; return u.i + in;",
        f"int k = (int){{ in }}++ + (int[]){{ {v[0]}, in }}[1]--; return k * 100 + (struct {{ int x; }}){{ {v[1]} }}.x++ + ++(int){{ in }};",
        f"static int k[] = {{ 1, 2, 3 }}; static int *p = k + 1, **q = &p; return (*q)[in % 2] * {v[0]} + k[in % 3];",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def control(r):
    """switch, goto, short circuits, statement expressions, sequence points."""
    c = [r.randrange(8) for _ in range(3)]
    ways = [
        f"int n = 0; switch (in) {{ case {c[0]}: n += 1; default: n += 10; break; case {c[0] + 1} ... {c[0] + 2}: n += 100; }} return n;",
        f"int n = in, k = 0; switch (n & 3) {{ do {{ k += 1; case 1: k += 10; case 2: k += 100; }} while (n-- > {c[1]}); }} return k;",
        f"int x = in; int y = x > {c[0]} && (x = {c[1]}) || (x += 2); return x * 2 + y;",
        f"int y = ({{ int t = in; if (t > {c[0]}) t = -t; t; }}); return y * 3;",
        f"int i = 0, a[9] = {{0}}; a[i++] = in; a[i] = i + 1; i += (in, {c[1]}); return a[0] * 100 + a[1] * 10 + i;",
        f"int s = 0; for (int i = 0; i < 5; i++) {{ if (i == in) continue; if (i == {c[2]}) break; s += i + 1; }} return s;",
        f"unsigned u = in; u -= {c[0]}; return u > 100 ? (u >> 28) + 50 : u;",
        f"int x = in ? : {c[1]}; x ^= x << 1; return x ? !x + ~x : -1;",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def records(r):
    """Structs by value, in and out of functions, nested and with arrays."""
    n = r.randrange(1, 6)
    return f"""struct s {{ char c; int a[{n}]; struct {{ short x; long y; }} i; }};
static struct s make(int k) {{ struct s s = {{ k }}; for (int i = 0; i < {n}; i++) s.a[i] = k + i; s.i.x = k * {r.randrange(1, 9)}; return s; }}
static struct s twice(struct s s) {{ s.a[{n - 1}] *= 2; s.i.y = s.i.x + s.c; return s; }}
long f(int in) {{ struct s t = make(in), u = twice({r.choice(['t', 'make(in + 1)'])}); {r.choice(['t = u;', 'u = t;', ''])}
    struct s *p = in & 1 ? &t : &u; return p->a[{r.randrange(n)}] * 100 + p->i.y * 10 + make(3).a[0] + sizeof(struct s); }}"""


def overflow(r):
    """Arithmetic that leaves its type in some runs: signed, shifts, division."""
    ways = [
        f"int x = INT_MAX - {r.randrange(9)}; return x + in > x;",
        f"int x = in - {r.randrange(9)}; return {r.randrange(1, 100)} / (x ? x : {r.choice(['1', 'x'])});",
        f"int x = INT_MIN + in, y = -x; return y > 0;",
        f"return 1 << (in + {r.randrange(20, 27)}) > 0;",
        f"short s = SHRT_MAX - {r.randrange(4)}; s += in; return s;",
        f"unsigned u = in - {r.randrange(8)}; return u * 2u > 5u;",
        f"long l = LONG_MAX / {r.randrange(2, 9)}; return l * in > 3;",
        f"int x = in; x *= x; x *= x; x *= x * {r.randrange(1, 9)}; return x % 1000;",
        f"return (in - {r.randrange(8)}) % {r.choice(['3', '-3', '5'])} + (INT_MIN + in) % {r.choice(['-1', '7', '2'])};",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def misuse(r):
    """Accesses that are invalid in some runs: null, constants, literals, freed, foreign, misplaced."""
    k = r.randrange(8)
    when = r.choice([f"in == {k}", f"in > {k}", f"in < {k}", "0"])
    ways = [
        f"int x = 4, *p = {when} ? 0 : &x; return *p + in;",
        f"static const int c[2] = {{ 1, 2 }}; int *p = (int *)c, y; if ({when}) p[1] = 5; else y = 3; return c[1] + in;",
        f"char *s = \"lit\"; if ({when}) s[0] = 'x'; return s[in % 4];",
        f"char b[4] = \"abc\"; char *s = {when} ? \"lit\" : b; s[1] = 'z'; return b[1];",
        f"int a[3] = {{ 1, 2, 3 }}; int *p = a + 3; if ({when}) p++; return p[-1] * 2 + in;",
        f"struct {{ int a[2]; int b; }} s = {{ {{ 1, 2 }}, 3 }}; int *p = &s.b; return ({when} ? p[1] : p[0]) + in;",
        f"int (*g)(const char *) = {when} ? 0 : atoi; return g(\"12\") + in;",
        f"char b[8]; memset(b, 0, {when} ? 9 : 8); return b[in];",
        f"char b[4] = {{ 'a', 'b', 'c', {when} ? 'd' : 0 }}; return strlen(b) + in;",
        f"int *p = malloc(8); if (!p) return 0; p[0] = in; p[1] = 2; int *q = p + ({when}); int s = q[0]; free(q); return s;",
        f"int a[4] = {{ 0 }}; memcpy(a + 1, a + ({when} ? 2 : 3), 4 * (({when}) + 1)); return a[1];",
        f"unsigned char b[3] = {{ 1, 2, 3 }}; int n = 3; while (n-- > {when}) b[n] += in; return b[0] + b[2];",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def parsing(r):
    """Loops over text as parsers have them."""
    text = r.choice(["12+30", "a=1;b=22", "x,,y", "0x1fG", "-7 8", "((a)b)"])
    ways = [
        "long v = 0; while (*s >= '0' && *s <= '9') v = v * 10 + (*s++ - '0'); return v * 10 + (*s == '+');",
        "int d = 0, most = 0; for (; *s; s++) { d += *s == '('; d -= *s == ')'; if (d > most) most = d; } return most * 10 + d;",
        "int n = 1; for (const char *p = s; (p = strchr(p, ',')); p++) n++; return n;",
        "char b[16]; size_t n = 0; do b[n++] = *s; while (*s++); return n + b[0];",
        "char b[16]; strcpy(b, s); int n = 0; for (char *t = strtok(b, \";,\"); t; t = strtok(0, \";,\")) n += strlen(t) * 3 + *t; return n;",
        "char *e; long v = strtol(s, &e, in % 2 ? 10 : 16); return v * 100 + (e - s);",
        "int a = 0, b = 0; int n = sscanf(s, \"%d+%d\", &a, &b); return n * 100 + a + b;",
        "unsigned h = 5381; while (*s) h = h * 33 ^ (unsigned char)*s++; return h % 100003;",
    ]
    return f"""long f(int in) {{ char w[] = "{text}"; if (in < 4) w[in] = "9(,a"[in]; const char *s = w; {r.choice(ways)} }}"""


def state(r):
    """Static objects, function pointers in records, enumerations, recursion, shadowing."""
    k = r.randrange(1, 6)
    ways = [
        f"static int n = {k}; n += in; {{ static int n = 1; n++; in += n; }} return n * 10 + in;",
        f"enum {{ A = {k}, B, C = A * 2 }} e = in & 1 ? B : C; switch (e) {{ case B: return 1; case C: return C; default: return e; }}",
        f"struct op {{ int (*g)(int); int k; }} ops[2] = {{ {{ abs, 1 }}, {{ id, {k} }} }}; return ops[in & 1].g(in - 3) * ops[in & 1].k;",
        f"int (*self)(int) = ack; return self(in % 3 + {k % 2});",
        f"int x = {k}; {{ int x = in; {{ extern int outer; outer += x; x = outer; }} in = x; }} return x * 100 + in;",
        f"int *p = slot(in & 1); *p += {k}; int *q = slot(0); return *p * 10 + *q;",
        f"typedef int row[3]; row m[2] = {{ {{ {k} }} }}; row *p = m + 1; (*p)[in % 3] = 7; return m[1][2] + m[0][0] + p[-1][in % 3];",
        f"volatile int v = in; v++; register int t = v; return t * v;",
    ]
    return f"""int outer = {k}; static int id(int x) {{ return x; }}
static int ack(int n) {{ return n > 0 ? n + ack(n - 1) * 2 : 1; }}
static int *slot(int i) {{ static int s[2] = {{ 1, {k} }}; return s + i; }}
long f(int in) {{ {r.choice(ways)} }}"""


def tricks(r):
    """Pointers with tags, lists by exclusive or, allocators of one's own, members that lead to their records."""
    a, k = r.choice([2, 4, 8, 16]), r.randrange(1, 6)
    ways = [
        f"static _Alignas(8) long long c[4] = {{ 1, 2, 3, 4 }}; uintptr_t t = (uintptr_t)&c[in & 3] | {r.randrange(1, 8)}; long long *p = (long long *)(t & ~(uintptr_t)7); *p += in; return c[in & 3] * 10 + c[0];",
        f"struct n {{ int v; uintptr_t x; }} a = {{ in }}, b = {{ {k} }}, c = {{ 7 }}; a.x = (uintptr_t)&b; b.x = (uintptr_t)&a ^ (uintptr_t)&c; c.x = (uintptr_t)&b; uintptr_t from = 0; struct n *p = &a; long s = 0; while (p) {{ s = s * 10 + p->v; struct n *q = (struct n *)(p->x ^ from); from = (uintptr_t)p; p = q; }} return s;",
        f"static _Alignas(16) unsigned char pool[96]; size_t at = in; unsigned char *x[3]; for (int i = 0; i < 3; i++) {{ at = (at + {a} - 1) / {a} * {a}; x[i] = pool + at; at += {k} + i; }} for (int i = 0; i < 3; i++) memset(x[i], i + 1, {k} + i); long s = at; for (int i = 0; i < 3; i++) s = s * 5 + x[i][{k} + i - 1] + x[i][0]; return s;",
        f"struct l {{ struct l *next; }}; struct o {{ char k; struct l a, b; int v; }} x = {{ .v = {k} }}, y = {{ .v = in }}; struct l *p = in > 3 ? &x.b : &y.b; ((struct o *)((char *)p - offsetof(struct o, b)))->v *= 3; return x.v * 100 + y.v;",
        f"union cell {{ union cell *next; int v; }} c[4], *free_ = 0; for (int i = 0; i < 4; i++) {{ c[i].next = free_; free_ = &c[i]; }} union cell *a = free_; free_ = a->next; a->v = in; union cell *b = free_; free_ = b->next; b->v = {k}; if (in & 1) {{ a->next = free_; free_ = a; }} union cell *d = free_; d->v = 5; return (d - c) * 100 + b->v + (in & 1 ? 0 : a->v);",
        f"int x = in, y = {k}; int *p = &x, *q = &y; for (size_t i = 0; i < sizeof p; i++) if (i >= {r.choice(['0', '0', 'sizeof p'])}) {{ char t = ((char *)&p)[i]; ((char *)&p)[i] = ((char *)&q)[i]; ((char *)&q)[i] = t; }} *p += 10; return x * 100 + y + *q;",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def edges(r):
    """Floating numbers at their edges: NaN, signs of zero, what is rounded, conversions that just fit."""
    c = r.choice(["0.1", "16777217.0", "1e308", "0.5", "-0.0", "3e-324", "2147483647.5", "0x1p-126"])
    ways = [
        f"double d = (in - 3) / {r.choice(['0.0', '2.0', '3.0'])}; return (d != d) * 1000 + (d < 1) * 100 + (d >= 1) * 10 + !(d > 1) + (d == d) * 5;",
        f"float x = {c}f * in; double y = {c} * in; return (x == y) * 100 + (x < y) * 10 + ((float)y == x);",
        f"double z = in > {r.randrange(7)} ? -0.0 : 0.0; unsigned long u; memcpy(&u, &z, 8); return (u >> 63) * 100 + (z == 0) * 10 + (1 / z < 0) + (z + 0.0 == 0) * 3;",
        f"float s = 0; for (int i = 0; i < in; i++) s += {r.choice(['0.1f', '1e7f', '3e-3f'])}; return (long)(s * {r.choice(['10', '1000', '1'])});",
        f"unsigned u = 4294967290u + in; float f = u; double d = u; return (f == d) * 10 + (f > 4294967290.0f) + (long)d % 100;",
        f"long double l = {r.choice(['1', '0.1L', '1e18L'])} * in; double d = l; float f = d; return (l == d) * 100 + (d == f) * 10 + (l < d) * 3 + (f > l);",
        f"double d = in * {r.choice(['0.7', '1.1', '100.57'])}; int i = d; unsigned char c = d; return i * 10 + (d == i) + c * 1000 + (int)-d;",
    ]
    return f"long f(int in) {{ {r.choice(ways)} }}"


def orders_of_library(r):
    """Sorting, searching and cutting into words, with functions and places that the library keeps in between."""
    k = r.randrange(2, 5)
    ways = [
        f"struct e {{ int k, v; }} t[{k}]; for (int i = 0; i < {k}; i++) t[i] = (struct e){{ (in * (i + 3)) % 7, i }}; qsort(t, {k}, sizeof *t, by); long s = 0; for (int i = 0; i < {k}; i++) s = s * 8 + t[i].k; return s;",
        f"long t[] = {{ {', '.join(str(3 * i + r.randrange(3)) for i in range(k))} }}; long key = in; long *p = bsearch(&key, t, {k}, sizeof *t, near); return p ? (p - t) * 10 + *p : -1;",
        f"char s[] = \"{r.choice(['a=1;b=2', ';;x', 'k=v', ''])}\"; if (in < 7 && s[0]) s[in % (sizeof s - 1)] = \";=z\"[in % 3]; char *o, *i; long n = 0; for (char *p = strtok_r(s, \";\", &o); p; p = strtok_r(0, \";\", &o)) for (char *q = strtok_r(p, \"=\", &i); q; q = strtok_r(0, \"=\", &i)) n = n * 3 + *q; return n;",
    ]
    return f"""static int by(const void *p, const void *q) {{ const int *x = p, *y = q; return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : x[1] - y[1]; }}
static int near(const void *k, const void *e) {{ long x = *(const long *)k, y = *(const long *)e; return x / 3 < y / 3 ? -1 : x / 3 > y / 3; }}
long f(int in) {{ {r.choice(ways)} }}"""


def replaced(r):
    """Initialisers of which later parts replace earlier ones, texts in part, and complex numbers among elements."""
    def item():
        i, j = r.randrange(3), r.randrange(6)
        text = r.choice(["abc", "hello", "x", ""])
        return r.choice([f'[{i}] = {{ "{text}", {j} }}', f'[{i}].s = "{text}"', f"[{i}].s[{j}] = '{r.choice('pqr')}'",
                         f"[{i} ... 2].k = {j}", f"[{i}].s = {{ [{j}] = 'u', 'v' }}", f"[{i}].k = {j}, {j + 1}, {j + 2}"])
    items = ", ".join(item() for _ in range(r.randrange(2, 6)))
    storage = r.choice(["static", ""])
    parts = ", ".join(r.choice(["in", "2.0fi", "in + 1.0fi", "3"]) for _ in range(3))
    return f"""long f(int in) {{ {storage} struct {{ char s[8]; int k; struct {{ short a, b; }} t; }} v[3] = {{ {items} }};
    float _Complex z[3] = {{ {parts} }}; const unsigned char *p = (const unsigned char *)v; unsigned long n = 0;
    for (unsigned i = 0; i < sizeof v; i++) n = n * 3 + p[i];
    for (int i = 0; i < 6; i++) n = n * 5 + (unsigned long)((float *)z)[i];
    return n % 1000003; }}"""


CLASSES = [addresses, copies, bitfields, conversions, callbacks, lifetimes, bounds, varargs, strings, unions, allocation,
           initialisers, control, records, overflow, misuse, parsing, state, through_pointers, overlaps,
           tricks, edges, orders_of_library, replaced]


def native(body, folder, flags):
    """What f returns for each input; None where a sanitizer stops it or it does not end in order."""
    source, binary = os.path.join(folder, "native.c"), os.path.join(folder, "native")
    main = '\nint main(int argc, char **argv) { printf("%ld\\n", f(atoi(argv[1]))); return 0; }\n'
    open(source, "w").write(HEAD + body + main)
    made = subprocess.run(["gcc", "-w", *flags, source, "-o", binary], capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"{body}\n{made.stderr}")
    found = []
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1"}
    for value in range(8):
        run = subprocess.run([binary, str(value)], capture_output=True, text=True, env=env)
        found.append(int(run.stdout) if run.returncode == 0 and run.stdout else None)
    return found


def ask(craig, file, *options):
    command = [craig, "check", "--malloc-never-fails", "--stop-at-first", "--timeout", "5s", *options, file]
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stdout.split()[0].strip(":") if run.stdout.split() else f"exit {run.returncode}: {run.stderr[:200]}"


def orders(craig, first, count):
    """Statements whose operands change and use the same things, judged by gcc's warnings."""
    places = ["i", "j", "s.a.x", "s.b.x", "s.a.c", "v[0]", "v[1]", "v[i]", "*p", "q->a.x", "g"]

    def operand(r, depth):
        place = r.choice(places)
        ways = [place, place, f"{place}++", f"--{place}", f"v[{r.choice('ij')}]", f"v[{r.choice('ij')}++]"]
        if depth:
            a, b = operand(r, depth - 1), operand(r, depth - 1)
            ways += [f"({a} + {b})", f"({a} - {b})", f"({place}++, {b})", f"({a} && {b})", f"({a} ? {b} : {operand(r, depth - 1)})",
                     f"h({a}, {b})", f"({place} = {a})", f"({place} += {a})"]
        return r.choice(ways)

    right = wrong = unknown = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "order.c")
        for seed in range(first, first + count):
            r = random.Random(seed)
            statement = f"{r.choice(places + ['v[i++]', 'r', 'r'])} {r.choice(['=', '=', '+='])} {operand(r, 2)};"
            open(file, "w").write(f"""struct s {{ struct {{ int x; char c; }} a, b; }}; static int g; static int h(int a, int b) {{ return a - b; }}
int main(void) {{ int i = 1, j = 2, r = 0, k = 3; int v[9] = {{ 1, 1, 1, 1, 1, 1, 1, 1, 1 }}; int *p = &k; struct s s = {{ {{ 1, 1 }}, {{ 1, 1 }} }}, t = s, *q = &t;
{statement} return 0; }}
""")
            said = subprocess.run(["gcc", "-Wsequence-point", "-c", "-o", "/dev/null", file], capture_output=True, text=True)
            warned = "sequence-point" in said.stderr
            run = subprocess.run([craig, "check", "--timeout", "10s", file], capture_output=True, text=True)
            fails = "in an order that is open [memory]" in run.stdout
            listed = "in an order that is open" in run.stdout
            if run.stdout.startswith("unknown") or not run.stdout:
                unknown += 1
            elif warned == fails or (listed and not fails):
                right += 1
            else:
                wrong += 1
                print(f"{seed} {statement} {'is open' if warned else 'is not open'} for gcc, Craig says {run.stdout[:150]!r}", flush=True)
    print(f"right {right} wrong {wrong} unknown {unknown}")


INPUTS = r"""
#include <stdio.h>
#include <stdlib.h>
static long long next(void) { static char *p; static int begun; if (!begun) p = getenv("INPUTS"); begun = 1;
    if (!p || !*p) return 0; long long value = strtoll(p, &p, 0); if (*p == ',') p++; return value; }
#define ANY(T, NAME) T __VERIFIER_nondet_##NAME(void) { return next(); }
ANY(int, int) ANY(unsigned, uint) ANY(char, char) ANY(signed char, schar) ANY(unsigned char, uchar) ANY(short, short)
ANY(unsigned short, ushort) ANY(long, long) ANY(unsigned long, ulong) ANY(long long, longlong) ANY(_Bool, bool)
ANY(double, double) ANY(float, float)
void __VERIFIER_assume(int c) { if (!c) _Exit(0); }
void reach_error(void) { _Exit(99); }
"""
REPORTS = {
    "memory": "AddressSanitizer|null pointer|out of bounds|misaligned|insufficient space|non-positive|unreachable|passing zero",
    "overflow": "signed integer overflow|cannot be represented",
    "division": "division by zero",
    "shift": "shift exponent",
    "leak": "LeakSanitizer",
    "cleanup": "LeakSanitizer",
}
SEVERAL = ["", "1", "777", "-1", "5,3", "2147483647", "-2147483648", "3,2,1", "7", "65", "-5,7"]


def kept(file):
    """Name, answer, inputs, options and text of each program in a file."""
    common = open(os.path.join(os.path.dirname(file), "common.h")).read()
    _, *programs = re.split(r"(?m)^//: ", open(file).read())
    for program in programs:
        head, body = program.split("\n", 1)
        words, _, options = head.partition(" --")
        name, answer, *inputs = words.split()
        yield name, answer, inputs[0] if inputs else None, ("--" + options).split() if options else [], common + body


def contradictions(file, answer, inputs, options, folder):
    """What gcc says against the answer."""
    if answer in ("assume", "refused", "undefined") or inputs == "-":
        return
    stub, binary = os.path.join(folder, "inputs.c"), os.path.join(folder, "native")
    open(stub, "w").write(INPUTS)
    width = ["-m32", "-msse2", "-mfpmath=sse"] if "ilp32" in options else []
    width += ["-fwrapv"] if "--wrap" in options else []
    sanitize = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=shift-base"]
    only_errors = "error" in options
    for flags in (sanitize, ["-O0"], ["-O2", "-fno-strict-aliasing"]):
        made = subprocess.run(["gcc", "-w", *width, *flags, file, stub, "-o", binary, "-lm"], capture_output=True, text=True)
        if made.returncode:
            yield f"gcc refuses it: {made.stderr[:200]}"
            return
        leaks = int(answer in ("leak", "cleanup"))
        asan = f"detect_leaks={leaks}:allocator_may_return_null=1:detect_stack_use_after_return=1"
        for values in [inputs] if inputs else SEVERAL:
            try:
                run = subprocess.run([binary], capture_output=True, text=True, errors="replace", timeout=5,
                                     env={**os.environ, "INPUTS": values, "ASAN_OPTIONS": asan}, stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                continue
            said = [line for line in run.stderr.splitlines() if "runtime error" in line or "Sanitizer" in line
                    and "failed to allocate" not in line]
            failed = not said and (run.returncode == 99 or "Assertion" in run.stderr)
            what = f"{' '.join(flags[:1])} {values}: {'it fails' if failed else (said or [run.returncode])[0]}"
            if answer == "safe" and (failed or (said and not only_errors)):
                yield what
            elif answer == "error" and inputs and not failed:
                yield what
            elif answer in REPORTS and inputs and flags == sanitize and not re.search(REPORTS[answer], run.stderr):
                if run.returncode != -11:
                    yield what


def programs(craig, files):
    right = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            for name, answer, inputs, options, text in kept(file):
                path = os.path.join(folder, f"{name}.c")
                open(path, "w").write(text)
                complaints = list(contradictions(path, answer, inputs, options, folder))[:1]
                questions = [(options, answer)]
                if "--check" not in options:
                    same = ("safe", "error", "assume", "refused", "undefined")
                    also = answer if answer in same else "safe or undefined"
                    questions.append(([*options, "--check", "error"], also))
                for asked, expected in questions:
                    run = subprocess.run([craig, "check", "--timeout", "20s", *asked, path], capture_output=True, text=True)
                    said, undefined = run.stdout, "is undefined before it could fail"
                    fits = {"safe": said.startswith("safe"), "refused": run.returncode == 65,
                            "assume": said.startswith("safe") and "assuming that" in said,
                            "undefined": undefined in said,
                            "safe or undefined": said.startswith("safe") or undefined in said}
                    if not fits.get(expected, said.startswith("unsafe") and f"[{expected}]" in said):
                        complaints.append(f"{' '.join(asked)}: Craig says {said[:200] or run.stderr[:200]}")
                right, wrong = right + (not complaints), wrong + bool(complaints)
                for complaint in complaints:
                    print(f"{name} ({answer}): {complaint}", flush=True)
    print(f"{right} programs as gcc and Craig have them, {wrong} not")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("craig")
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--programs", nargs="+")
    parser.add_argument("--ilp32", action="store_true")
    parser.add_argument("--orders", action="store_true")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    if arguments.programs:
        return programs(arguments.craig, arguments.programs)
    if arguments.orders:
        return orders(arguments.craig, arguments.first, arguments.count)
    right = wrong = unknown = 0
    with tempfile.TemporaryDirectory() as folder:
        keep = arguments.keep or folder
        os.makedirs(keep, exist_ok=True)
        for seed in range(arguments.first, arguments.first + arguments.count):
            r = random.Random(seed)
            make = CLASSES[seed % len(CLASSES)]
            body = make(r)
            sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=shift-base,alignment"]
            width = ["-m32", "-msse2", "-mfpmath=sse"] if arguments.ilp32 else []
            checked = native(body, folder, sanitize + width)
            plain, fast = native(body, folder, ["-O0", *width]), native(body, folder, ["-O2", *width])
            # Where the compilers disagree, the sanitizer has missed something.
            if any(c is not None and not c == p == q for c, p, q in zip(checked, plain, fast)):
                print(f"{seed} {make.__name__}: gcc disagrees with itself: {checked} {plain} {fast}")
                continue
            defined = [i for i in range(8) if checked[i] is not None]
            table = [0 if c is None else c for c in checked]
            bad = seed // len(CLASSES) % 2 == 1 and defined
            if bad:
                table[r.choice(defined)] += r.choice([-1, 1, 256])
            values = ", ".join(f"{v}L" for v in table)
            main = f"""
int main(void) {{ static const long expected[8] = {{ {values} }}; int in = __VERIFIER_nondet_int();
    if (in < 0 || in > 7) return 0; assert(f(in) == expected[in]); return 0; }}
"""
            file = os.path.join(keep, f"{make.__name__}{seed}.c")
            open(file, "w").write(HEAD + body + main)
            expected = "unsafe" if bad else "safe"
            undefined = "unsafe" if bad or len(defined) < 8 else "safe"
            for options, answer in ((["--check", "error"], expected), ([], undefined)):
                model = ["--data-model", "ilp32"] if arguments.ilp32 else []
                got = ask(arguments.craig, file, *options, *model)
                if got == answer:
                    right += 1
                elif got in ("safe", "unsafe"):
                    wrong += 1
                else:
                    unknown += 1
                if got != answer:
                    what = " ".join(options) or "default checks"
                    print(f"{seed} {make.__name__} ({what}): expected {answer}, got {got} {checked}", flush=True)
    print(f"right {right} wrong {wrong} unknown {unknown}")


main()
