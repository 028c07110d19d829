//! The objects that arguments point to when a function starts.

use std::fmt::Write;

use super::{ANY_BOOL, ANY_SIZE, ASSUME, LARGEST, MAX_DEPTH, Param, SHARED, SIZE, Writer, words};
use crate::contract::Clause;
use crate::contract::clause::{Extent, Meaning, Predicate, Translated, refuse};
use crate::contract::scan::Token;
use crate::hir::{GlobalOrigin, Linkage, Program};
use crate::lower::{Layouts, reach};
use crate::types::{QualType, RecordKind};
use craig_program::FOR_PROOFS;

impl<'a, 't> Writer<'_, 'a, 't> {
    /// An argument that no clause gives a size: null unless a clause says that it is valid.
    pub(super) fn unsized_argument(&mut self, i: usize) {
        let Param { name, pointee, is_function, .. } = &self.params[i];
        let (name, is_function) = (name.clone(), *is_function);
        let Some(pointee) = *pointee else { return };
        let plan = self.plan_of(&name);
        if is_function {
            return self.callback(&name);
        }
        if plan.guarded {
            let target = self.target(i);
            let _ = writeln!(self.out, "{target} = {ANY_BOOL} ? 0 : malloc(1);");
            return;
        }
        if plan.is_sized() {
            return;
        }
        if plan.extent.is_none() && self.is_hidden(pointee) {
            self.note_hidden(pointee);
            let _ = writeln!(self.out, "{} = 0;", self.target(i));
            return;
        }
        if plan.extent.is_none() {
            let _ = writeln!(self.out, "if ({ANY_BOOL}) {} = 0; else {{", self.target(i));
        }
        let bytes = self.bytes_of(&name, pointee);
        self.place(i, &bytes);
        if !self.is_hidden(pointee) {
            self.inner_pointers(&name, pointee, 0);
        }
        if plan.extent.is_none() {
            self.out.push_str("}\n");
        }
    }

    fn is_complete(&self, ty: QualType) -> bool {
        self.program.types.is_void(ty.ty)
            || (self.program.types.size_of(ty.ty).is_some() && !self.is_hidden(ty))
    }

    /// Whether only other units say what is in objects of this type.
    fn is_hidden(&self, ty: QualType) -> bool {
        let types = &self.program.types;
        let mut ty = ty.ty;
        while let Some((element, _)) = types.array(ty) {
            ty = element.ty;
        }
        let (Some(record), Some(unit)) = (types.as_record(ty), self.unit) else { return false };
        let record = types.record(record);
        record.tag.is_some()
            && record.body.is_some()
            && !unit.types.records().iter().any(|known| known.tag == record.tag && known.body.is_some())
    }

    fn note_hidden(&mut self, ty: QualType) {
        let (ty, name) = (self.program.types.show(ty.ty), &self.program.functions[self.function].name);
        let text = format!("pointers to `{ty}` are null: the file of '{name}' does not say what is in there");
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    /// How many bytes `*pointer` has, as far as that is known.
    fn bytes_of(&self, pointer: &str, pointee: QualType) -> String {
        match self.program.types.size_of(pointee.ty) {
            Some(size) if self.is_hidden(pointee) => size.to_string(),
            _ if self.is_complete(pointee) => format!("sizeof *{pointer}"),
            _ => "1".to_string(),
        }
    }

    /// How the argument is assigned to, even if it is constant.
    fn target(&self, i: usize) -> String {
        let Param { name, ty, .. } = &self.params[i];
        if ty.quals.is_const() { format!("*(void **)&{name}") } else { name.clone() }
    }

    /// Lets an argument point to an object of `bytes` bytes: a new one, or a part of one that is there.
    fn place(&mut self, i: usize, bytes: &str) {
        let (name, target) = (self.params[i].name.clone(), self.target(i));
        let step = match self.params[i].pointee {
            Some(pointee) if self.is_complete(pointee) => format!("sizeof *{name}"),
            _ => "1".to_string(),
        };
        let shares = self.shares(i);
        let known = |base: &str, size: &str| match shares {
            true => format!("craig_base_{i} = (void *)({base}); craig_size_{i} = {size};"),
            false => String::new(),
        };
        let inside = |base: &str, size: &str| {
            format!(
                "{{ {SIZE} craig_at = {ANY_SIZE}; {ASSUME}({bytes} <= {size} && craig_at <= {size} / ({step}) && \
                 craig_at * ({step}) <= {size} - ({bytes})); {target} = (void *)((__typeof__({name})){base} + craig_at); \
                 {} }} else ",
                known(base, size)
            )
        };
        for j in self.partners(i) {
            let _ = write!(self.out, "if ({SHARED}{i}_{j}) ");
            let code = if self.are_single(i, j) {
                let (base, size) = (format!("craig_base_{j}"), format!("craig_size_{j}"));
                format!("{{ {ASSUME}({base} != 0); {target} = {base}; {} }} else ", known(&base, &size))
            } else {
                inside(&format!("craig_base_{j}"), &format!("craig_size_{j}"))
            };
            self.out.push_str(&code);
        }
        let (globals, others) = self.globals_of_type(i);
        if others {
            let function = &self.program.functions[self.function].name;
            let text =
                format!("no argument points to a global that the file of '{function}' does not declare");
            if !self.assumptions.contains(&text) {
                self.assumptions.push(text);
            }
        }
        for global in globals {
            let _ = write!(self.out, "if ({ANY_BOOL}) ");
            self.out.push_str(&inside(&format!("(void *)&{global}"), &format!("sizeof {global}")));
        }
        // Others that share this object may begin before it or reach beyond it.
        let sharing: Vec<usize> = (0..self.params.len())
            .filter(|&k| self.partners(k).contains(&i) && !self.are_single(i, k))
            .collect();
        if sharing.is_empty() {
            let _ = writeln!(
                self.out,
                "{{ {target} = malloc({bytes}); {ASSUME}({target} != 0); {} }}",
                known(&name, bytes)
            );
            return;
        }
        let shared: Vec<String> = sharing.iter().map(|k| format!("{SHARED}{k}_{i}")).collect();
        let _ = writeln!(
            self.out,
            "{{ {SIZE} craig_more = 0, craig_at = 0; if ({}) {{ craig_more = {ANY_SIZE}; craig_at = {ANY_SIZE}; \
             {ASSUME}(craig_more <= {LARGEST} / ({step}) && craig_at <= craig_more && craig_more * ({step}) <= {LARGEST} - \
             ({bytes})); }} {target} = malloc({bytes} + craig_more * ({step})); {ASSUME}({target} != 0); {} {target} = \
             (void *)({name} + craig_at); }}",
            shared.join(" || "),
            known(&name, &format!("{bytes} + craig_more * ({step})"))
        );
    }

    /// Globals of the type of what the argument points to, which the function can reach, and whether there are more that
    /// its unit does not declare.
    fn globals_of_type(&self, i: usize) -> (Vec<String>, bool) {
        let plan = self.plan_of(&self.params[i].name);
        let Some(pointee) = self.params[i].pointee.filter(|_| !plan.apart && !plan.string) else {
            return (Vec::new(), false);
        };
        let reach = reach::reach(self.program, &mut Layouts::default(), &[self.function]);
        let (mut names, mut others) = (Vec::new(), false);
        for &id in &reach.globals {
            let global = &self.program.globals[id];
            let element = self.program.types.array(global.ty.ty).map_or(global.ty, |(element, _)| element);
            let fits = element.ty == pointee.ty && (!element.quals.is_const() || pointee.quals.is_const());
            let visible = global.origin == GlobalOrigin::FileScope && global.linkage == Linkage::External;
            let hidden = self.params.iter().any(|param| param.name == global.name);
            let is_said = |unit: &Program| unit.globals.iter().any(|known| known.name == global.name);
            if fits && visible && !hidden && self.program.types.size_of(global.ty.ty).is_some() {
                match self.unit.is_none_or(is_said) {
                    true => names.push(global.name.clone()),
                    false => others = true,
                }
            }
        }
        (names, others)
    }

    /// A pointer that is not an argument itself: null, or to an object of its type.
    pub(super) fn null_or_object(&mut self, pointer: &str, pointee: QualType, depth: usize) {
        let types = &self.program.types;
        if types.as_function(pointee.ty).is_some() {
            return self.callback(pointer);
        }
        if self
            .plans
            .iter()
            .any(|(p, _)| p.split_whitespace().collect::<String>() == pointer.replace(['(', ')'], ""))
        {
            return;
        }
        if depth >= MAX_DEPTH {
            let text =
                format!("pointers that are more than {MAX_DEPTH} steps away from an argument are null");
            if !self.assumptions.contains(&text) {
                self.assumptions.push(text);
            }
            let _ = writeln!(self.out, "*(void **)&{pointer} = 0;");
            return;
        }
        if self.is_hidden(pointee) {
            self.note_hidden(pointee);
            let _ = writeln!(self.out, "*(void **)&{pointer} = 0;");
            return;
        }
        let bytes = self.bytes_of(pointer, pointee);
        let _ = writeln!(
            self.out,
            "if ({ANY_BOOL}) *(void **)&{pointer} = 0; else {{ *(void **)&{pointer} = malloc({bytes}); {ASSUME}(*(void \
             **)&{pointer} != 0);"
        );
        self.inner_pointers(pointer, pointee, depth + 1);
        self.out.push_str("}\n");
    }

    /// The pointers in the object that a pointer points to.
    fn inner_pointers(&mut self, pointer: &str, pointee: QualType, depth: usize) {
        let types = &self.program.types;
        if let Some(inner) = types.pointee(pointee.ty) {
            return self.null_or_object(&format!("(*{pointer})"), inner, depth);
        }
        // Records within records: the way to each from the pointer.
        let mut pending = vec![(format!("{pointer}->"), pointee.ty)];
        let mut found = Vec::new();
        while let Some((path, ty)) = pending.pop() {
            let Some(record) = types.as_record(ty) else { continue };
            if types.record(record).kind == RecordKind::Union {
                continue;
            }
            for field in types.fields(record).iter().rev() {
                let way = match &field.name {
                    Some(name) => format!("{path}{name}"),
                    None => path.trim_end_matches(['.', '>', '-']).to_string(),
                };
                match types.pointee(field.ty.ty) {
                    Some(inner) => found.push((way, inner)),
                    None if field.name.is_some() => pending.push((format!("{way}."), field.ty.ty)),
                    None => pending.push((path.clone(), field.ty.ty)),
                }
            }
        }
        for (way, inner) in found.into_iter().rev() {
            self.null_or_object(&way, inner, depth);
        }
    }

    /// A pointer to a function: null, or to one that may do what a function without a body may.
    fn callback(&mut self, pointer: &str) {
        let name = format!("craig_callback_{}", suffix(pointer));
        let _ = writeln!(
            self.out,
            "{{ extern __typeof__(*{pointer}) {name}; if ({ANY_BOOL}) *(void **)&{pointer} = 0; else \
             *(void **)&{pointer} = (void *){name}; }}"
        );
    }

    /// Makes the object of a predicate, once for each pointer.
    pub(super) fn object(&mut self, clause: &Clause, predicate: &Predicate<'a, 't>) -> Translated<()> {
        let pointer = words(predicate.pointer);
        let Some(at) = self.plans.iter().position(|(p, _)| *p == pointer) else { return Ok(()) };
        let plan = self.plans[at].1.clone();
        let param = self.params.iter().position(|param| param.name == pointer);
        if param.is_some_and(|i| self.params[i].pointee.is_none() || self.params[i].is_function) {
            return refuse(&predicate.pointer[0], format!("`{pointer}` does not point to an object"));
        }
        let is_done = predicate.meaning == Meaning::Apart
            || (param.is_some() && !plan.is_sized() && !plan.guarded)
            || predicate.pointer[0].is("&");
        // A second predicate about the same pointer was taken into account by the first.
        if is_done || plan.done {
            return Ok(());
        }
        self.plans[at].1.done = true;
        let k = suffix(&pointer);
        let shown = self.translated(clause, predicate.pointer)?;
        let element = format!("sizeof *({shown})");
        let number = |writer: &Self, tokens: &[Token<'t>]| writer.translated(clause, tokens);
        let bytes = match plan.extent {
            Some(Extent::One) => element.clone(),
            Some(Extent::Elements(n)) => {
                let n = number(self, n)?;
                let _ = writeln!(
                    self.out,
                    "{SIZE} craig_count_{k} = {n};\n{ASSUME}(craig_count_{k} <= {LARGEST} / ({element}));"
                );
                format!("craig_count_{k} * ({element})")
            }
            Some(Extent::UpTo(last)) => {
                let n = match last {
                    [n @ .., minus, one] if minus.is("-") && one.is("1") => number(self, n)?,
                    _ => format!("{} + 1", number(self, last)?),
                };
                let _ = writeln!(
                    self.out,
                    "{SIZE} craig_count_{k} = {n};\n{ASSUME}(craig_count_{k} <= {LARGEST} / ({element}));"
                );
                format!("craig_count_{k} * ({element})")
            }
            Some(Extent::Bytes(n)) => {
                let n = number(self, n)?;
                let _ = writeln!(
                    self.out,
                    "{SIZE} craig_count_{k} = {n};\n{ASSUME}(craig_count_{k} <= {LARGEST});"
                );
                format!("craig_count_{k}")
            }
            None => {
                let _ = writeln!(self.out, "{SIZE} craig_count_{k} = {ANY_SIZE};");
                format!("craig_count_{k}")
            }
        };
        match param {
            Some(i) => self.place(i, &bytes),
            None => {
                let _ = writeln!(self.out, "{shown} = malloc({bytes}); {ASSUME}({shown} != 0);");
            }
        }
        if plan.string {
            let _ = writeln!(
                self.out,
                "{SIZE} craig_length_{k} = {ANY_SIZE};\n{ASSUME}(craig_length_{k} < {bytes});\nchar *{FOR_PROOFS}{k} = (char *)({shown}) + craig_length_{k};\n*{FOR_PROOFS}{k} = 0;"
            );
            // Where it ends is never read, but proofs may speak of that as long as there is memory; and of the length as
            // long as it is used: it is, once more, after the call.
            if !plan.guarded {
                let _ = writeln!(
                    self.after,
                    "__VERIFIER_craig_assert(craig_length_{k} < {bytes}, \"the length of a string\");"
                );
            }
        }
        Ok(())
    }

    /// Declares what is known of the arguments' objects, and chooses who shares one with whom.
    pub(super) fn choices(&mut self) {
        let mut pointers = 0;
        for i in 0..self.params.len() {
            if self.params[i].pointee.is_none() || self.params[i].is_function {
                continue;
            }
            pointers += 1;
            if self.shares(i) {
                let _ = writeln!(self.out, "{SIZE} craig_size_{i} = 0; void *craig_base_{i} = 0;");
            }
            for j in self.partners(i) {
                let _ = writeln!(self.out, "_Bool {SHARED}{i}_{j} = {ANY_BOOL};");
            }
        }
        if pointers > 1 {
            let text = "arguments share objects only where their types are the same or one points to characters, and \
                not if both point to constants";
            self.assumptions.push(text.to_string());
        }
    }
}

/// The words of a pointer as the end of a name.
fn suffix(pointer: &str) -> String {
    let parts =
        pointer.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}
