//! A syntax tree as text: one line for each declaration, member and statement, indented as they nest, with
//! line and column; expressions in prefix form, `(= x (+ x 1))`; types from the outside in, as they are read.
//!
//! The parser bounds the nesting of what is printed here, so recursion is fine.

use super::*;
use crate::lex::Names;
use crate::source::Sources;
use std::fmt::Write;

/// The tree of one translation unit.
pub fn show(externals: &[External], names: &Names, sources: &Sources) -> String {
    let mut printer = Printer { names, sources, out: String::new(), indent: 0 };
    for external in externals {
        printer.external(external);
    }
    printer.out
}

struct Printer<'a> {
    names: &'a Names,
    sources: &'a Sources,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, span: Span, text: &str) {
        let at = self.sources.locate(span);
        let _ = writeln!(self.out, "{}{}:{} {text}", "  ".repeat(self.indent), at.line, at.column);
    }

    fn name(&self, symbol: Symbol) -> String {
        self.names.get(symbol).to_string()
    }

    fn nested(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
    }

    fn external(&mut self, external: &External) {
        match external {
            External::Declaration(declaration) => self.declaration(declaration),
            External::Function(function) => self.function(function),
            External::StaticAssert(assertion) => self.static_assert(assertion),
            External::Asm(span) => self.line(*span, "asm"),
        }
    }

    fn function(&mut self, function: &FunctionDefinition) {
        let text = format!("function {}", self.declared(&function.specifiers, &function.declarator));
        self.line(function.declarator.span, &text);
        self.nested(|printer| {
            for declaration in &function.old_style {
                printer.declaration(declaration);
            }
            for stmt in &function.body {
                printer.stmt(stmt);
            }
        });
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        let text = format!("static assert {} {:?}", self.expr(&assertion.condition), assertion.message);
        self.line(assertion.span, &text);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let specifiers = &declaration.specifiers;
        self.line(declaration.span, &format!("declaration {}", self.specifiers(specifiers)));
        self.nested(|printer| {
            printer.members(&specifiers.ty);
            for item in &declaration.declarators {
                let mut text = printer.declarator(&item.declarator);
                if let Some(init) = &item.init {
                    let _ = write!(text, " = {}", printer.init(init));
                }
                printer.line(item.declarator.span, &text);
            }
        });
    }

    /// What a type specifier defines.
    fn members(&mut self, ty: &TypeSpecifier) {
        match ty {
            TypeSpecifier::Record(record) => {
                for member in record.members.iter().flatten() {
                    match member {
                        Member::StaticAssert(assertion) => self.static_assert(assertion),
                        Member::Declaration { specifiers, declarators, span } => {
                            self.line(*span, &format!("member {}", self.specifiers(specifiers)));
                            self.nested(|printer| {
                                printer.members(&specifiers.ty);
                                for item in declarators {
                                    let mut text = printer.declarator(&item.declarator);
                                    if let Some(width) = &item.width {
                                        let _ = write!(text, ", bits {}", printer.expr(width));
                                    }
                                    printer.line(item.declarator.span, &text);
                                }
                            });
                        }
                    }
                }
            }
            TypeSpecifier::Enum(specifier) => {
                for constant in specifier.constants.iter().flatten() {
                    let mut text = format!("enumerator {}", self.name(constant.name));
                    if let Some(value) = &constant.value {
                        let _ = write!(text, " = {}", self.expr(value));
                    }
                    self.line(constant.span, &text);
                }
            }
            _ => {}
        }
    }

    fn specifiers(&self, specifiers: &Specifiers) -> String {
        let mut words: Vec<String> = Vec::new();
        if let Some(storage) = specifiers.storage {
            words.push(format!("{storage:?}").to_lowercase());
        }
        let flags = [(specifiers.thread_local, "_Thread_local"), (specifiers.inline, "inline")];
        words.extend(flags.iter().filter(|(given, _)| *given).map(|(_, word)| word.to_string()));
        words.extend(qualifiers(specifiers.quals));
        words.push(self.type_specifier(&specifiers.ty));
        words.join(" ")
    }

    fn type_specifier(&self, ty: &TypeSpecifier) -> String {
        let tagged = |kind: &str, tag: Option<Symbol>| match tag {
            Some(tag) => format!("{kind} {}", self.name(tag)),
            None => kind.to_string(),
        };
        match ty {
            TypeSpecifier::Void => "void".to_string(),
            TypeSpecifier::Bool => "_Bool".to_string(),
            TypeSpecifier::Int(kind) => spaced(&format!("{kind:?}")),
            TypeSpecifier::Float(kind) => spaced(&format!("{kind:?}")),
            TypeSpecifier::Complex(kind) => format!("_Complex {kind:?}"),
            TypeSpecifier::VaList => "__builtin_va_list".to_string(),
            TypeSpecifier::Size => "__CPROVER_size_t".to_string(),
            TypeSpecifier::Name(name) => self.name(*name),
            TypeSpecifier::Record(record) => tagged(&format!("{:?}", record.kind).to_lowercase(), record.tag),
            TypeSpecifier::Enum(specifier) => tagged("enum", specifier.tag),
            TypeSpecifier::TypeofExpr(expr) => format!("typeof {}", self.expr(expr)),
            TypeSpecifier::TypeofType(ty) => format!("typeof {}", self.type_name(ty)),
            TypeSpecifier::Auto => "__auto_type".to_string(),
            TypeSpecifier::Implicit => "int (implicit)".to_string(),
        }
    }

    /// A name and its whole type.
    fn declared(&self, specifiers: &Specifiers, declarator: &Declarator) -> String {
        format!("{} {}", self.declarator(declarator), self.specifiers(specifiers))
    }

    fn declarator(&self, declarator: &Declarator) -> String {
        let mut text = match declarator.name {
            Some((name, _)) => format!("{}:", self.name(name)),
            None => String::new(),
        };
        for derived in &declarator.derived {
            if !text.is_empty() {
                text.push(' ');
            }
            match derived {
                Derived::Pointer(quals) => {
                    text.push_str(
                        &qualifiers(*quals)
                            .into_iter()
                            .chain(["pointer to".to_string()])
                            .collect::<Vec<_>>()
                            .join(" "),
                    );
                }
                Derived::Array { length: Some(length), .. } => {
                    let _ = write!(text, "array of {}", self.expr(length));
                }
                Derived::Array { length: None, .. } => text.push_str("array of"),
                Derived::Function(function) => {
                    let mut params: Vec<String> = function
                        .params
                        .iter()
                        .map(|param| self.declared(&param.specifiers, &param.declarator).trim().to_string())
                        .collect();
                    params.extend(function.names.iter().map(|&(name, _)| self.name(name)));
                    params.extend(function.variadic.then(|| "...".to_string()));
                    let _ = write!(text, "function({}) returning", params.join(", "));
                }
            }
        }
        text
    }

    fn type_name(&self, ty: &TypeName) -> String {
        format!("`{}`", self.declared(&ty.specifiers, &ty.declarator).trim())
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::List(list) => self.init_list(list),
        }
    }

    fn init_list(&self, list: &InitList) -> String {
        let items = list.items.iter().map(|item| {
            let designators = self.designators(&item.designators);
            let value = self.init(&item.init);
            if designators.is_empty() { value } else { format!("{designators} = {value}") }
        });
        format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
    }

    fn designators(&self, designators: &[Designator]) -> String {
        let show = |designator: &Designator| match designator {
            Designator::Field(name, _) => format!(".{}", self.name(*name)),
            Designator::Index(index) => format!("[{}]", self.expr(index)),
            Designator::Range(low, high) => format!("[{} ... {}]", self.expr(low), self.expr(high)),
        };
        designators.iter().map(show).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        let optional = |printer: &Self, expr: &Option<Expr>| {
            expr.as_ref().map_or(String::new(), |expr| format!(" {}", printer.expr(expr)))
        };
        match &stmt.kind {
            StmtKind::Empty => self.line(span, "empty"),
            StmtKind::Expr(expr) => self.line(span, &self.expr(expr)),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Function(function) => self.function(function),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::Block(stmts) => self.block(span, "block", stmts),
            StmtKind::If { condition, then, otherwise } => {
                self.line(span, &format!("if {}", self.expr(condition)));
                self.nested(|printer| printer.stmt(then));
                if let Some(otherwise) = otherwise {
                    self.line(otherwise.span, "else");
                    self.nested(|printer| printer.stmt(otherwise));
                }
            }
            StmtKind::While { condition, body } => {
                self.line(span, &format!("while {}", self.expr(condition)));
                self.nested(|printer| printer.stmt(body));
            }
            StmtKind::DoWhile { body, condition } => {
                self.line(span, &format!("do ... while {}", self.expr(condition)));
                self.nested(|printer| printer.stmt(body));
            }
            StmtKind::For { init, condition, step, body } => {
                let text = format!("for;{};{}", optional(self, condition), optional(self, step));
                self.line(span, &text);
                self.nested(|printer| {
                    printer.stmt(init);
                    printer.stmt(body);
                });
            }
            StmtKind::Switch { value, body } => {
                self.line(span, &format!("switch {}", self.expr(value)));
                self.nested(|printer| printer.stmt(body));
            }
            StmtKind::Case { low, high: None } => self.line(span, &format!("case {}", self.expr(low))),
            StmtKind::Case { low, high: Some(high) } => {
                self.line(span, &format!("case {} ... {}", self.expr(low), self.expr(high)));
            }
            StmtKind::Default => self.line(span, "default"),
            StmtKind::Label(name) => self.line(span, &format!("label {}", self.name(*name))),
            StmtKind::LocalLabels(labels) => {
                let labels: Vec<String> = labels.iter().map(|&(name, _)| self.name(name)).collect();
                self.line(span, &format!("local labels {}", labels.join(" ")));
            }
            StmtKind::Goto(name, _) => self.line(span, &format!("goto {}", self.name(*name))),
            StmtKind::ComputedGoto(target) => self.line(span, &format!("goto * {}", self.expr(target))),
            StmtKind::Break => self.line(span, "break"),
            StmtKind::Continue => self.line(span, "continue"),
            StmtKind::Return(value) => self.line(span, &format!("return{}", optional(self, value))),
            StmtKind::Asm(asm) => self.line(span, &format!("asm {:?}", asm.template)),
        }
    }

    fn block(&mut self, span: Span, what: &str, stmts: &[Stmt]) {
        self.line(span, what);
        self.nested(|printer| stmts.iter().for_each(|stmt| printer.stmt(stmt)));
    }

    fn expr(&self, expr: &Expr) -> String {
        let form = |head: &str, operands: &[&Expr]| {
            let operands = operands.iter().map(|operand| format!(" {}", self.expr(operand)));
            format!("({head}{})", operands.collect::<String>())
        };
        match &expr.kind {
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Int(literal) => {
                format!(
                    "{}{}{}",
                    literal.value,
                    if literal.unsigned { "u" } else { "" },
                    "l".repeat(literal.longs.into())
                )
            }
            ExprKind::Float(literal) => literal.value.to_string(),
            ExprKind::Char(_, value) => format!("'{value}'"),
            ExprKind::String(literal) => {
                let text: String =
                    literal.units.iter().map(|&unit| char::from_u32(unit).unwrap_or('\u{fffd}')).collect();
                format!("{text:?}")
            }
            ExprKind::Unary(op, a) => form(unary(*op), &[a]),
            ExprKind::Binary(op, a, b) => form(op.symbol(), &[a, b]),
            ExprKind::Logical(LogicalOp::And, a, b) => form("&&", &[a, b]),
            ExprKind::Logical(LogicalOp::Or, a, b) => form("||", &[a, b]),
            ExprKind::Assign(op, a, b) => form(&format!("{}=", op.map_or("", BinaryOp::symbol)), &[a, b]),
            ExprKind::Conditional(c, Some(a), b) => form("?", &[c, a, b]),
            ExprKind::Conditional(c, None, b) => form("?:", &[c, b]),
            ExprKind::Comma(a, b) => form(",", &[a, b]),
            ExprKind::Cast(ty, a) => form(&format!("cast {}", self.type_name(ty)), &[a]),
            ExprKind::CompoundLiteral(ty, list) => {
                format!("(literal {} {})", self.type_name(ty), self.init_list(list))
            }
            ExprKind::Call(function, args) => {
                form("call", &std::iter::once(&**function).chain(args).collect::<Vec<_>>())
            }
            ExprKind::Index(a, b) => form("index", &[a, b]),
            ExprKind::Member { object, name, arrow, .. } => {
                format!("({} {} {})", if *arrow { "->" } else { "." }, self.expr(object), self.name(*name))
            }
            ExprKind::SizeofExpr(a) => form("sizeof", &[a]),
            ExprKind::SizeofType(ty) => format!("(sizeof {})", self.type_name(ty)),
            ExprKind::AlignofExpr(_, a) => form("alignof", &[a]),
            ExprKind::AlignofType(_, ty) => format!("(alignof {})", self.type_name(ty)),
            ExprKind::Statement(stmts) => {
                let mut inner =
                    Printer { names: self.names, sources: self.sources, out: String::new(), indent: 0 };
                stmts.iter().for_each(|stmt| inner.stmt(stmt));
                format!("({{ {} }})", inner.out.trim().replace('\n', "; "))
            }
            ExprKind::LabelAddress(name) => format!("(&& {})", self.name(*name)),
            ExprKind::Generic(value, choices) => {
                let choices = choices.iter().map(|(ty, value)| {
                    let ty = ty.as_ref().map_or("default".to_string(), |ty| self.type_name(ty));
                    format!(" {ty}: {}", self.expr(value))
                });
                format!("(_Generic {}{})", self.expr(value), choices.collect::<String>())
            }
            ExprKind::ConvertVector(vector, ty) => {
                format!("(convert_vector {} {})", self.expr(vector), self.type_name(ty))
            }
            ExprKind::VaArg(list, ty) => format!("(va_arg {} {})", self.expr(list), self.type_name(ty)),
            ExprKind::Offsetof(ty, designators) => {
                format!("(offsetof {} {})", self.type_name(ty), self.designators(designators))
            }
            ExprKind::TypesCompatible(types) => {
                format!("(types_compatible {} {})", self.type_name(&types.0), self.type_name(&types.1))
            }
            ExprKind::ChooseExpr(parts) => form("choose", &[&parts.0, &parts.1, &parts.2]),
        }
    }
}

fn qualifiers(quals: Qualifiers) -> Vec<String> {
    let all = [
        (Qualifiers::CONST, "const"),
        (Qualifiers::VOLATILE, "volatile"),
        (Qualifiers::RESTRICT, "restrict"),
        (Qualifiers::ATOMIC, "_Atomic"),
    ];
    all.iter().filter(|(qual, _)| quals.contains(*qual)).map(|(_, word)| word.to_string()).collect()
}

/// `UnsignedLongLong` is `unsigned long long`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Deref => "*",
        UnaryOp::AddressOf => "&",
        UnaryOp::PreIncrement => "++",
        UnaryOp::PreDecrement => "--",
        UnaryOp::PostIncrement => "post++",
        UnaryOp::PostDecrement => "post--",
        UnaryOp::Real => "__real__",
        UnaryOp::Imag => "__imag__",
    }
}
