//! What can only be settled when all files are known: aliases, names of other files' static functions, and calls that were made before the function
//! was declared with its final type.

use craig_base::{Index, Map, Set};

use super::Checker;
use super::compatible::are_laid_out_alike;
use super::scope::Binding;
use crate::diagnostics::Diagnostic;
use crate::hir::{
    Callee, CastKind, ExprId, ExprKind, Function, FunctionId, Global, GlobalId, GlobalOrigin, InitItem,
    InitValue, Initializer, Linkage, PlaceKind, StmtKind,
};
use crate::library;
use crate::source::Sources;
use crate::types::{ArrayLength, TypeId};

/// At least the size of a stream in `library/stream.c`, whose inside is seen nowhere else.
const STREAM_BYTES: u64 = 256;

/// In front of CBMC's names for static functions.
const FILE_LOCAL: &str = "__CPROVER_file_local_";

impl Checker<'_> {
    pub(super) fn link(&mut self, sources: &Sources) {
        for before in [true, false] {
            let state = &mut self.state;
            let mut found =
                std::mem::take(if before { &mut state.constructors } else { &mut state.destructors });
            found.retain(|&(_, function)| self.program.functions[function].body.is_some());
            found.sort();
            found.dedup();
            let functions = found.into_iter().map(|(_, function)| function);
            if before {
                self.program.constructors = functions.collect();
            } else {
                self.program.destructors = functions.rev().collect();
            }
        }
        if self.diagnostics.has_errors() || self.state.conflicting_tag.is_some() {
            return;
        }
        for (global, span) in std::mem::take(&mut self.state.weak_declared) {
            if self.program.globals[global].init.is_none() {
                let what = "a weak object that may not be there is not modelled";
                self.diagnostics.add(Diagnostic::unsupported(span, what));
            }
        }
        for (function, first, second) in std::mem::take(&mut self.state.inline_twins) {
            // The same line of a header is the same text.
            let line = |span| {
                let place = sources.locate(span);
                (place.file, place.line)
            };
            if line(first) != line(second) {
                let name = &self.program.functions[function].name;
                let text =
                    format!("calls of `{name}` are calls of its external definition, not of an inline one");
                self.program.assumptions.push(text);
            }
        }
        self.open_standard_streams();
        self.resolve_object_aliases();
        let behind_pointers = self.behind_pointers();
        let mut aliases = self.stand_ins();
        aliases.extend(self.file_locals(sources));
        aliases.extend(self.resolve_aliases());
        let unused = self.unused_values();
        for index in 0..self.program.exprs.len() {
            let id = ExprId::from_usize(index);
            match &mut self.program.exprs[id].kind {
                ExprKind::FunctionAddress(function) => {
                    if let Some(target) = behind_pointers.get(function).or_else(|| aliases.get(function)) {
                        *function = *target;
                    }
                }
                ExprKind::Call { callee: Callee::Function(function), .. } => {
                    if let Some(target) = aliases.get(function) {
                        *function = *target;
                    }
                    let function = *function;
                    self.fit_call(id, function, &unused);
                }
                _ => {}
            }
        }
        self.check_frames();
    }

    /// CBMC's names for static functions of other files: `__CPROVER_file_local_list_c_insert` is `insert` of `list.c`.
    /// The name may also be defined, for a static function whose body was taken out.
    fn file_locals(&self, sources: &Sources) -> Map<FunctionId, FunctionId> {
        let functions = &self.program.functions;
        let mangled = |function: &Function| {
            let file = sources.locate(function.span).file;
            let file: String = file
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
            format!("{FILE_LOCAL}{file}_{}", function.name)
        };
        let mut found = Map::default();
        if !functions.iter().any(|function| function.name.starts_with(FILE_LOCAL)) {
            return found;
        }
        for (id, function) in
            functions.enumerated().filter(|(_, function)| function.linkage != Linkage::External)
        {
            let name = mangled(function);
            for (other, named) in functions.enumerated().filter(|(_, other)| other.name == name) {
                match (function.body.is_some(), named.body.is_some()) {
                    (true, false) => _ = found.entry(other).or_insert(id),
                    (false, true) => _ = found.insert(id, other),
                    _ => {}
                }
            }
        }
        found
    }

    /// `stdin` and its like, where they are declared, point to objects of their own. What the library calls `__craig_stdin`
    /// is the program's `stdin`, if it has one.
    fn open_standard_streams(&mut self) {
        let is_stream = |global: &Global| {
            matches!(library::public_name(&global.name), "stdin" | "stdout" | "stderr")
                && global.init.is_none()
                && global.linkage == Linkage::External
                && self.program.types.is_pointer(global.ty.ty)
        };
        let found: Vec<GlobalId> = self
            .program
            .globals
            .enumerated()
            .filter(|(_, global)| is_stream(global))
            .map(|(id, _)| id)
            .collect();
        let (library, program): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|&id| library::is_library(&self.program.globals[id].name));
        let name = |id: GlobalId| library::public_name(&self.program.globals[id].name);
        let (same, library): (Vec<_>, Vec<_>) = (library.into_iter())
            .map(|id| (id, program.iter().copied().find(|&other| name(other) == name(id))))
            .partition(|(_, other)| other.is_some());
        let same: Map<GlobalId, GlobalId> =
            same.into_iter().filter_map(|(id, other)| Some((id, other?))).collect();
        for place in self.program.places.iter_mut() {
            if let PlaceKind::Global(id) = &mut place.kind
                && let Some(&other) = same.get(id)
            {
                *id = other;
            }
        }
        for id in program.into_iter().chain(library.into_iter().map(|(id, _)| id)) {
            let Global { name, ty, span, .. } = self.program.globals[id].clone();
            let bytes = self.types().array_of(TypeId::CHAR, ArrayLength::Known(STREAM_BYTES));
            let stream = self.program.globals.push(Global {
                name: format!("{name}.stream"),
                ty: bytes.into(),
                linkage: Linkage::Internal,
                origin: GlobalOrigin::FileScope,
                init: Some(Initializer::default()),
                thread_local: false,
                span,
            });
            let place = self.global_place(stream, span);
            let pointer = self.types().pointer_to(bytes);
            let address = self.expr(ExprKind::AddressOf(place), pointer, span);
            let address = self.expr(ExprKind::Cast(CastKind::PointerToPointer, address), ty.ty, span);
            let item = InitItem { offset: 0, ty: ty.ty, bits: None, value: InitValue::Expr(address) };
            self.program.globals[id].init = Some(Initializer { items: vec![item], replaced: Vec::new() });
        }
    }

    fn resolve_object_aliases(&mut self) {
        let aliases: Map<GlobalId, GlobalId> =
            std::mem::take(&mut self.state.object_aliases).into_iter().collect();
        if aliases.is_empty() {
            return;
        }
        for index in 0..self.program.places.len() {
            let place = &mut self.program.places[crate::hir::PlaceId::from_usize(index)];
            if let PlaceKind::Global(mut global) = place.kind {
                // Aliases in a circle are nothing that compilers take.
                for _ in 0..aliases.len() {
                    global = aliases.get(&global).copied().unwrap_or(global);
                }
                place.kind = PlaceKind::Global(global);
            }
        }
    }

    /// `alias("target")` and `asm("target")`: the functions that stand for others.
    fn resolve_aliases(&mut self) -> Map<FunctionId, FunctionId> {
        let mut aliases = Map::default();
        let linker_names: Map<FunctionId, String> =
            std::mem::take(&mut self.state.linker_names).into_iter().collect();
        if !linker_names.is_empty() {
            let functions = &self.program.functions;
            let name = |id: FunctionId| linker_names.get(&id).unwrap_or(&functions[id].name);
            let defined: Map<&String, FunctionId> = functions
                .enumerated()
                .filter(|(_, f)| f.body.is_some() && f.linkage == Linkage::External)
                .map(|(id, _)| (name(id), id))
                .collect();
            let open = functions.enumerated().filter(|(_, f)| f.body.is_none());
            aliases.extend(open.filter_map(|(id, _)| Some((id, *defined.get(name(id))?))));
        }
        for (function, target, here, span) in std::mem::take(&mut self.state.aliases) {
            // A weak alias gives way to a definition.
            if self.program.functions[function].body.is_some() {
                continue;
            }
            let target_id = match (here, self.state.external.get(&target)) {
                (Some(target), _) | (None, Some(&Binding::Function(target))) => Some(target),
                _ => {
                    let text = self.text(target);
                    self.program.functions.enumerated().find(|(_, f)| f.name == text).map(|(id, _)| id)
                }
            };
            match target_id.filter(|&target| target != function) {
                Some(target) => {
                    aliases.insert(function, target);
                }
                None => {
                    let message = format!("there is no function `{}` to be an alias of", self.text(target));
                    self.diagnostics.add(Diagnostic::error(span, message));
                }
            }
        }
        aliases
    }

    /// Expressions whose value nothing takes.
    fn unused_values(&self) -> Set<ExprId> {
        let mut found: Set<ExprId> = Set::default();
        for stmt in self.program.stmts.iter() {
            match stmt.kind {
                StmtKind::Expr(value) => _ = found.insert(value),
                StmtKind::For { step: Some(step), .. } => _ = found.insert(step),
                _ => {}
            }
        }
        // Operands come before what they are in.
        for (id, expr) in self.program.exprs.enumerated().rev() {
            match expr.kind {
                ExprKind::Cast(CastKind::ToVoid, value) => _ = found.insert(value),
                ExprKind::Comma(first, last) => {
                    found.insert(first);
                    if found.contains(&id) {
                        found.insert(last);
                    }
                }
                ExprKind::Conditional { then, otherwise, .. } if found.contains(&id) => {
                    found.extend([then, otherwise]);
                }
                _ => {}
            }
        }
        found
    }

    /// Makes the arguments and the result of a call fit the function's definition, if they do not already.
    fn fit_call(&mut self, call: ExprId, function: FunctionId, unused: &Set<ExprId>) {
        let id = function;
        let function = &self.program.functions[id];
        let Some(function_type) = self.program.types.as_function(function.ty) else { return };
        let result = function_type.result;
        let variadic = function_type.variadic;
        let params: Vec<TypeId> = match &function.body {
            Some(body) => body.params.iter().map(|&param| body.locals[param].ty.ty).collect(),
            None if function_type.prototyped => function_type.params.clone(),
            None => Vec::new(),
        };
        let known = function.body.is_some() || function_type.prototyped;
        let (ty, span) = (self.program.exprs[call].ty, self.program.exprs[call].span);
        let ExprKind::Call { args, .. } = &self.program.exprs[call].kind else { return };
        let fits = args.iter().zip(&params).all(|(&arg, &param)| self.type_of(arg) == param);
        let count_fits = args.len() == params.len() || (variadic && args.len() > params.len()) || !known;
        // Additional arguments may be passed in a way of their own (6.5.2.2 p6, p9).
        let is_other = self.state.variadic_calls.contains(&call) != variadic;
        // An old-style definition takes a `double` for its `float`, which another file may have declared as it is.
        let is_unpromoted = self.state.old_style.contains(&id)
            && args
                .iter()
                .zip(&params)
                .any(|(&arg, &param)| param == TypeId::FLOAT && self.type_of(arg) == TypeId::FLOAT);
        if fits && count_fits && ty == result && !is_other && !is_unpromoted {
            return;
        }
        let mut args = args.clone();
        let is_missing = result == TypeId::VOID && ty != TypeId::VOID && !unused.contains(&call);
        let misfits = function.body.is_some()
            && !library::is_library(&function.name)
            && (is_other
                || is_unpromoted
                || is_missing
                || !self.is_passed_alike(&args, &params, function_type.prototyped, [ty, result]));
        if !count_fits {
            let message =
                format!("{} arguments are given to a function of {} parameters", args.len(), params.len());
            self.warn(span, message);
        }
        for (arg, &param) in args.iter_mut().zip(&params) {
            // What stands for a library function has records of its own, laid out alike.
            if self.program.types.as_record(param).is_some() {
                continue;
            }
            match self.convert(*arg, param) {
                Ok(converted) => *arg = converted,
                Err(found) => self.diagnostics.add(*found),
            }
        }
        let ExprKind::Call { callee, .. } = self.program.exprs[call].kind.clone() else { return };
        let fitted = ExprKind::Call { callee, args };
        if misfits {
            self.program.misfits.insert(call);
        }
        if ty == result || self.program.types.as_record(result).is_some() {
            self.program.exprs[call].kind = fitted;
            return;
        }
        if result == TypeId::VOID {
            self.warn(span, "the value of a function without result is used");
            self.program.exprs[call].kind = fitted;
            return;
        }
        // The call keeps the type that its context was checked with, by a cast around it.
        let inner = self.expr(fitted, result, span);
        if self.program.misfits.remove(&call) {
            self.program.misfits.insert(inner);
        }
        match self.convert(inner, ty) {
            Ok(cast) => self.program.exprs[call] = self.program.exprs[cast].clone(),
            Err(found) => self.diagnostics.add(*found),
        }
    }

    /// Whether the call would work although its function was declared otherwise where it is called: what is passed has the
    /// width and the kind that the parameters have, as has the result. C calls more than that undefined (6.5.2.2 p9), but a
    /// smaller number is passed as an `int` everywhere, and a constant that is not negative is the same in a register.
    fn is_passed_alike(
        &self,
        args: &[ExprId],
        params: &[TypeId],
        prototyped: bool,
        [ty, result]: [TypeId; 2],
    ) -> bool {
        let is_alike = |a: TypeId, b: TypeId| {
            let types = &self.program.types;
            let width = |ty| match types.int_info(ty) {
                Some(info) => Some(info.bits.max(32)),
                None => types.is_pointer(ty).then(|| types.pointer_size() as u32 * 8),
            };
            match (width(a), width(b)) {
                (None, None) => are_laid_out_alike(types, a, b, 0),
                (a, b) => a == b,
            }
        };
        let is_natural = |arg: ExprId| self.int_value(arg).is_some_and(|value| value >= 0);
        let mut pairs = args.iter().zip(params);
        // An old-style definition takes a `double` for its `float`.
        let is_promoted = |arg, param| !prototyped && param == TypeId::FLOAT && arg == TypeId::DOUBLE;
        let results = [ty, result].contains(&TypeId::VOID) || is_alike(ty, result);
        results
            && pairs.all(|(&arg, &param)| {
                let ty = self.type_of(arg);
                is_alike(ty, param)
                    || is_promoted(ty, param)
                    || is_natural(arg) && !self.program.types.is_float(param)
            })
    }
}
