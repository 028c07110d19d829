//! Programs that move addresses about, without inputs; in half of them the last statement misuses memory.
//!
//! The generator knows at any time where each pointer points and which objects exist, so it knows what the misuse is.
//! Addresses go through integers, tables, unions, bytes, floating numbers, records by value, callbacks and variable
//! arguments on their way from one pointer to another.

use crate::rng::Rng;
use std::fmt::Write;

const PREAMBLE: &str = "#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned sum;
static void mix(unsigned v) { sum = sum * 31u + v; }
struct box { char tag; int *p; long k; };
union view { int *p; uintptr_t u; double d; unsigned char b[8]; };
static struct box pack(int *p, long k) { struct box b = { 1, p, k }; return b; }
static int *unpack(struct box b) { return b.p; }
static int *same(int *p) { return p; }
static int *(*const pick[2])(int *) = { same, same };
static int *last(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int *p = 0;
    while (n-- > 0) p = va_arg(ap, int *);
    va_end(ap);
    return p;
}
static void poke(int *p, int v) { *p = v; }
static void add(int *p, int v) { *p += v; }
static void (*const pokes[2])(int *, int) = { poke, add };
static int by_value(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
static uintptr_t table[4];
static int *slots[4];
static const int fixed[2] = { 7, 8 };
";

/// How an address gets from `P` to the new pointer `Q`; `K` is a small number.
const WAYS: &[&str] = &[
    "int *Q = P;",
    "uintptr_t uQ = (uintptr_t)P; int *Q = (int *)uQ;",
    "uintptr_t uQ = (uintptr_t)P + 16 * K; int *Q = (int *)(uQ - 16 * K);",
    "uintptr_t uQ = (uintptr_t)P ^ 0x5555u; int *Q = (int *)(uQ ^ 0x5555u);",
    "uintptr_t uQ = ~(uintptr_t)P; int *Q = (int *)~uQ;",
    "uintptr_t uQ = (uintptr_t)P / 4 * 4; int *Q = (int *)uQ;",
    "uint16_t wQ[4] = { (uintptr_t)P, (uintptr_t)P >> 16, (uint64_t)(uintptr_t)P >> 32, (uint64_t)(uintptr_t)P >> 48 }; \
     int *Q = (int *)(uintptr_t)((uint64_t)wQ[3] << 48 | (uint64_t)wQ[2] << 32 | (uint64_t)wQ[1] << 16 | wQ[0]);",
    "table[K] = (uintptr_t)P; int *Q = (int *)table[K];",
    "slots[K] = P; int **sQ = slots; sQ += K; int *Q = *sQ;",
    "union view vQ; vQ.p = P; union view wQ = vQ; int *Q = (int *)wQ.u;",
    "union view vQ; vQ.p = P; union view wQ; memcpy(wQ.b, vQ.b, sizeof(int *)); int *Q = wQ.p;",
    "double dQ = 0; int *oQ = P, *Q; memcpy(&dQ, &oQ, sizeof oQ); double eQ = dQ; memcpy(&Q, &eQ, sizeof Q);",
    "int *oQ = P; unsigned char bQ[sizeof oQ]; for (unsigned i = 0; i < sizeof oQ; i++) \
     bQ[i] = ((unsigned char *)&oQ)[i]; int *Q; memcpy(&Q, bQ, sizeof Q);",
    "int *Q = unpack(pack(P, K));",
    "struct box bQ = pack(P, K), cQ[2]; cQ[1] = bQ; struct box dQ = cQ[1]; int *Q = dQ.p;",
    "struct box *bQ = malloc(sizeof *bQ); if (!bQ) return 1; bQ->p = P; int *Q = bQ->p; free(bQ);",
    "int **bQ = malloc(sizeof *bQ); if (!bQ) return 1; *bQ = P; int **cQ = realloc(bQ, 4 * sizeof *cQ); \
     if (!cQ) return 1; int *Q = *cQ; free(cQ);",
    "int *Q = pick[K & 1](P);",
    "int *Q = last(2, &K0, P);",
    "int *oQ[2] = { P, P }; qsort(oQ, 2, sizeof *oQ, by_value); int *Q = oQ[K & 1];",
    "void *vQ = P; char *cQ = (char *)vQ + 4; int *Q = (int *)(cQ - 4);",
    "int *oQ = P; int **ppQ = &oQ; int ***pppQ = &ppQ; int *Q = **pppQ;",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Static,
    Automatic,
    Heap,
    Block,
}

struct Object {
    name: String,
    length: usize,
    exists: bool,
}

struct Pointer {
    name: String,
    object: usize,
    index: usize,
}

/// A program, and what its last statement does wrong: the words of it and its line.
pub struct Program {
    pub text: String,
    pub misuse: Option<(&'static str, u32)>,
}

struct Generator {
    rng: Rng,
    before_main: String,
    main: String,
    objects: Vec<Object>,
    pointers: Vec<Pointer>,
    fresh: usize,
}

/// The program with this number.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        rng: Rng::new(seed ^ 0x6d65_6d6f),
        before_main: String::new(),
        main: String::new(),
        objects: Vec::new(),
        pointers: Vec::new(),
        fresh: 0,
    };
    for place in [Place::Static, Place::Automatic, Place::Heap] {
        generator.object(place);
    }
    for _ in 0..6 + generator.rng.below(10) {
        generator.statement();
    }
    let misuse = (seed % 2 == 1).then(|| generator.misuse());
    let Generator { before_main, main, .. } = generator;
    let head = format!("{PREAMBLE}{before_main}int main(void) {{\n    int K0 = 0;\n{main}");
    let line = head.lines().count() as u32;
    let text = format!("{head}    int r = sum & 0x3fffffff;\n    printf(\"%d\\n\", r);\n    return r;\n}}\n");
    Program { text, misuse: misuse.map(|what| (what, line)) }
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.main, "    {text}");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn object(&mut self, place: Place) -> usize {
        let (name, length) = (self.name("o"), 1 + self.rng.below(5));
        let values: Vec<String> = (0..length).map(|_| self.rng.below(90).to_string()).collect();
        let values = values.join(", ");
        match place {
            Place::Static => {
                let _ = writeln!(self.before_main, "static int {name}[{length}] = {{ {values} }};");
            }
            Place::Automatic | Place::Block => self.line(&format!("int {name}[{length}] = {{ {values} }};")),
            Place::Heap => {
                self.line(&format!("int *{name} = malloc({length} * sizeof(int)); if (!{name}) return 1;"));
                self.line(&format!("for (int i = 0; i < {length}; i++) {name}[i] = i * 3;"));
            }
        }
        self.objects.push(Object { name, length, exists: true });
        self.objects.len() - 1
    }

    /// Some object that exists.
    fn some_object(&mut self) -> usize {
        let there: Vec<usize> = (0..self.objects.len()).filter(|&i| self.objects[i].exists).collect();
        *self.rng.pick(&there)
    }

    /// A pointer to an object that exists: where it is known, or a new one.
    fn some_pointer(&mut self) -> usize {
        let there: Vec<usize> =
            (0..self.pointers.len()).filter(|&i| self.objects[self.pointers[i].object].exists).collect();
        if !there.is_empty() && self.rng.chance(70) {
            return *self.rng.pick(&there);
        }
        let object = self.some_object();
        let (name, index) = (self.name("p"), self.rng.below(self.objects[object].length));
        let base = self.objects[object].name.clone();
        self.line(&format!("int *{name} = {base} + {index};"));
        self.pointers.push(Pointer { name, object, index });
        self.pointers.len() - 1
    }

    /// What a pointer is called, its index, and the length of its object.
    fn known(&self, pointer: usize) -> (String, usize, usize) {
        let Pointer { name, object, index } = &self.pointers[pointer];
        (name.clone(), *index, self.objects[*object].length)
    }

    fn pass_on(&mut self, from: usize) {
        let (p, ..) = self.known(from);
        let q = self.name("p");
        let way = *self.rng.pick(WAYS);
        let k = self.rng.below(4).to_string();
        let text = way.replace("K0", "\u{1}").replace('K', &k).replace('\u{1}', "K0");
        self.line(&text.replace('Q', &q).replace('P', &p));
        let Pointer { object, index, .. } = self.pointers[from];
        self.pointers.push(Pointer { name: q, object, index });
    }

    fn statement(&mut self) {
        let pointer = self.some_pointer();
        let (p, index, length) = self.known(pointer);
        let to = self.rng.below(length);
        let offset = to as i64 - index as i64;
        let value = self.rng.below(100);
        match self.rng.below(11) {
            0..=3 => self.pass_on(pointer),
            4 => self.line(&format!("{p}[{offset}] = {value};")),
            5 => self.line(&format!("pokes[{}]({p}, {value});", value & 1)),
            6 => self.line(&format!("mix({p}[{offset}]);")),
            7 => {
                self.line(&format!("{p} += {offset};"));
                self.pointers[pointer].index = to;
            }
            8 => {
                let place = *self.rng.pick(&[Place::Static, Place::Automatic, Place::Heap]);
                self.object(place);
            }
            9 => {
                let other = self.some_pointer();
                let (q, other_index, other_length) = self.known(other);
                let room = (length - index).min(other_length - other_index);
                let same = self.pointers[pointer].object == self.pointers[other].object;
                let copy = if same { "memmove" } else { "memcpy" };
                self.line(&format!("{copy}({p}, {q}, {room} * sizeof(int));"));
            }
            _ => self.block(),
        }
    }

    /// An object that ends with its block, and a pointer to it that does not.
    fn block(&mut self) {
        let outer = self.name("p");
        self.line(&format!("int *{outer};"));
        self.line("{");
        let object = self.object(Place::Block);
        let Object { name, length, .. } = &self.objects[object];
        let (name, index) = (name.clone(), self.rng.below(*length));
        self.line(&format!("{outer} = {name} + {index};"));
        self.line(&format!("mix(*{outer});"));
        self.line("}");
        self.objects[object].exists = false;
        self.pointers.push(Pointer { name: outer, object, index });
    }

    fn gone(&mut self) -> Option<usize> {
        let gone: Vec<usize> =
            (0..self.pointers.len()).filter(|&i| !self.objects[self.pointers[i].object].exists).collect();
        (!gone.is_empty()).then(|| *self.rng.pick(&gone))
    }

    /// A pointer to the beginning of an allocated object that exists.
    fn allocated(&mut self) -> (String, usize) {
        let object = self.object(Place::Heap);
        let name = self.name("p");
        let base = self.objects[object].name.clone();
        self.line(&format!("int *{name} = {base};"));
        (name, self.objects[object].length)
    }

    fn misuse(&mut self) -> &'static str {
        let pointer = self.some_pointer();
        let (p, index, length) = self.known(pointer);
        match self.rng.below(14) {
            0 => {
                self.line(&format!("mix({p}[{}]);", length - index));
                "read past the end"
            }
            1 => {
                self.line(&format!("{p}[{}] = 1;", length - index));
                "write past the end"
            }
            2 => {
                self.line(&format!("mix({p}[-{}]);", index + 1));
                "read before the beginning"
            }
            3 => {
                self.line(&format!("memset({p}, 0, {} * sizeof(int));", length - index + 1));
                "fill past the end"
            }
            4 => {
                let (q, _) = self.allocated();
                self.line(&format!("free({q});"));
                self.line(&format!("mix(*{q});"));
                "read of what was freed"
            }
            5 => {
                let (q, _) = self.allocated();
                self.line(&format!("free({q});"));
                self.line(&format!("free({q});"));
                "double free"
            }
            6 => {
                let (q, _) = self.allocated();
                self.line(&format!("free({q} + 1);"));
                "free of the middle"
            }
            7 => {
                let name = self.objects[0].name.clone();
                self.line(&format!("free({name});"));
                "free of a static object"
            }
            8 => {
                self.line("mix(*(K0 ? &K0 : (int *)0));");
                "read of null"
            }
            9 => match self.gone() {
                Some(gone) => {
                    let (q, ..) = self.known(gone);
                    self.line(&format!("mix(*{q});"));
                    "read after the block"
                }
                None => {
                    self.line("((int *)fixed)[K0] = 3;");
                    "write to a constant"
                }
            },
            10 => {
                self.line("((char *)\"text\")[K0] = 'x';");
                "write to a literal"
            }
            11 => {
                let (q, length) = self.allocated();
                self.line(&format!("{q} = realloc({q}, {} * sizeof(int)); if (!{q}) return 1;", length + 1));
                self.line(&format!("mix({q}[{}]);", length + 1));
                "read past the end of what was reallocated"
            }
            12 => {
                self.line("void (*f)(int *, int) = K0 ? poke : 0; f(&K0, 1);");
                "call of null"
            }
            _ => {
                self.line("char b[8] = \"abcdefg\"; memcpy(b + 1, b, K0 + 4);");
                "overlapping copy"
            }
        }
    }
}
