//! Small programs with inputs and an error that may or may not be reached.
//!
//! Inputs are of type `_Bool`, so that all runs can be tried. The statements are those of the large
//! programs; the checksum is a plain sum, which a solver can reason about.

use super::types::{Object, Shape};
use super::{Features, Generator};

const PREAMBLE: &str = r#"extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);
void *memset(void *to, int byte, __SIZE_TYPE__ n);
__SIZE_TYPE__ strlen(const char *s);
enum color { RED, GREEN = 5, BLUE = -3 };
static unsigned sum = 0;
static int fuel = 5;
static void mix(unsigned long long v) { sum += v & 3; }
static int to_int(double d) { return d > -8.0 && d < 8.0 ? (int)d : 7; }
"#;

/// The text of the small program with this number.
pub fn program(seed: u64, features: Features) -> String {
    let mut generator = Generator::new(seed, features);
    generator.small_translation_unit();
    generator.text
}

impl Generator {
    fn small_translation_unit(&mut self) {
        self.text.push_str(PREAMBLE);
        if self.rng.chance(30) {
            self.aggregate();
        }
        for _ in 0..self.rng.below(3) {
            self.declare(true);
        }
        if self.rng.chance(40) {
            self.function_of(3);
        }
        self.line("int main(void) {");
        self.indent += 1;
        self.scopes.push(Vec::new());
        for _ in 0..2 + self.rng.below(2) {
            let (name, integer) = (self.fresh("x"), self.integer());
            let value = *self.rng.pick(&["b", "b + 2 * b", "-b", "b - 3 * b", "7 * b - b"]);
            let value = value.replace('b', "__VERIFIER_nondet_bool()");
            self.line(format!("{} {name} = {value};", integer.name));
            let scope = self.scopes.last_mut().expect("the scope of main");
            scope.push(Object { name, shape: Shape::Integer(integer), constant: false });
        }
        self.budget = 6;
        self.statements(2);
        let checked = match self.rng.below(3) {
            0 => format!("(sum & 7) == {}", self.rng.below(8)),
            1 => format!("({} & 15) == {}", self.expr(2), self.rng.below(16)),
            _ => self.expr(3),
        };
        self.line(format!("if ({checked}) reach_error();"));
        self.line("return 0;");
        self.scopes.pop();
        self.indent -= 1;
        self.line("}");
    }
}
