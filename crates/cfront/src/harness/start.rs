//! The start of the program: globals that are defined elsewhere, and the arguments of the entry.

use std::fmt::Write;

use craig_base::OrderedSet;

use super::{Asked, Unsupported, Writer, is_part, next};
use crate::hir::{Function, GlobalId, PlaceKind};
use crate::lower;

impl Writer<'_> {
    /// Globals that are declared and not defined, and the code that gives them their values.
    fn globals(&mut self, entry: &Function) -> String {
        let program = self.program;
        let used: OrderedSet<GlobalId> = program
            .places
            .iter()
            .filter_map(|place| match place.kind {
                PlaceKind::Global(id) => Some(id),
                _ => None,
            })
            .collect();
        let mut code = String::new();
        let at_entry = self.asked(entry.span, None);
        for id in used {
            let global = &program.globals[id];
            if global.init.is_some() || self.offset(global.span.start).is_none() {
                continue;
            }
            let name = global.name.as_str();
            let _ = writeln!(self.made, "__typeof__({name}) {name};");
            for asked in at_entry.iter().filter(|asked| is_part(&asked.variable, name)) {
                let queue = self.queue(vec![asked.value]);
                let _ = write!(code, " {} = {};", asked.variable, next(asked.ty, queue));
            }
            let objects = self.objects(global.span, Some(name));
            if objects.iter().any(|object| !object.parts.is_empty()) {
                let list = self.fill(&objects);
                let _ = write!(code, " craig_fill({list}, (void *)&{name});");
            }
        }
        code
    }

    /// The function that starts the program: unknown globals get their values, the entry its arguments.
    pub(super) fn main(&mut self, announced: &str) -> Result<String, Unsupported> {
        let program = self.program;
        let entry = lower::entry(program, self.options).map(|id| &program.functions[id]);
        let Some((entry, body)) = entry.and_then(|entry| Some((entry, entry.body.as_ref()?))) else {
            return Err(Unsupported(format!("there is no function '{}'", self.options.entry)));
        };
        let code = self.globals(entry);
        let unknown = |asked: &Asked| {
            program
                .globals
                .iter()
                .any(|global| global.init.is_none() && is_part(&asked.variable, &global.name))
        };
        let asked = self.asked(entry.span, None);
        let mut asked = asked.iter().filter(|asked| !unknown(asked));
        let objects = self.objects(entry.span, None);
        let mut objects = objects.iter();
        let mut arguments = Vec::new();
        // It makes pointers itself.
        let makes_arguments = entry.name.starts_with(crate::contract::PREFIX);
        for &param in &body.params {
            let ty = body.locals[param].ty.ty;
            if program.types.as_record(ty).is_some() {
                return Err(Unsupported("the entry takes a struct or union".to_string()));
            }
            if makes_arguments && program.types.is_pointer(ty) {
                arguments.push("0".to_string());
                continue;
            }
            let Some(value) = asked.next() else {
                arguments.push("0".to_string());
                continue;
            };
            if program.types.is_pointer(ty) {
                // Asked was whether it is null.
                let object = if value.value == 0 { objects.next() } else { None };
                let list = self.fill(object.map_or(&[], std::slice::from_ref));
                arguments.push(format!("craig_object({list}, {})", u8::from(object.is_some())));
            } else {
                // Lowering takes one argument where there would be less than none.
                let is_count = entry.name == "main" && arguments.is_empty();
                let number = if is_count && value.value < 0 { 1 } else { value.value };
                let queue = self.queue(vec![number]);
                arguments.push(next(value.ty, queue));
            }
        }
        if entry.name == "main" && arguments.len() > 1 {
            arguments[1] = self.main_arguments();
        }
        let name = if entry.name == "main" { "craig_main" } else { entry.name.as_str() };
        Ok(format!("int main(void) {{{announced}{code} {name}({}); return 0; }}\n", arguments.join(", ")))
    }

    /// An array of the strings. The first of the objects made for `main` is that array.
    fn main_arguments(&mut self) -> String {
        let strings = self.inputs.arguments.get(1..).unwrap_or_default();
        let mut code = format!("({{ static char *argv[{}];", strings.len() + 1);
        for (i, string) in strings.iter().enumerate() {
            let list = self.fill(std::slice::from_ref(string));
            let _ = write!(code, " argv[{i}] = craig_object({list}, 1);");
        }
        code + " argv; })"
    }
}
