//! Is memory split as the front end says?
//!
//! Encoders treat regions as separate arrays. That is right if an access that lies in a live object lies in a
//! part of it that belongs to the region of the access. [`Provenance`] claims, for each variable and each part of
//! memory, from which objects its value can have come and where in them it points. The checker goes through the
//! program once: the claim holds at the start, every statement keeps it, and under it no access leaves its region.
//! So it holds in all runs, by induction over their length. Nothing of the analysis that found the claim is
//! used here.
//!
//! The rules of provenance are those of C: a constant that is the address of a part of an object, or its end,
//! comes from that object; so does what arithmetic, casts and copies make of it, through integers and floats
//! too. Comparisons and distances between pointers have no provenance. An input can be the address of anything, and so
//! can a number that is calculated (an address can be copied bit by bit, with no more than tests of it): neither may be
//! used as an address where memory is split. An access by a value that comes from one object and lies
//! in another, or that comes from none, is undefined: a failed check of memory, or an assumption that is listed.

use craig_base::{IndexVec, Map, OrderedMap, Set};
use craig_program::{
    Arithmetic, BinaryOp, Cell, Class, ClassId, Expr, ExprId, ObjectId, Place, Program, Provenance, RegionId,
    Scope, Span, Stmt, Target, Type, stmt_operands,
};

/// How many factors of a distance are looked at.
const MOST_FACTORS: usize = 32;

/// Why memory may not be split as the program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionRejection(pub String);

impl std::fmt::Display for RegionRejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks the program's [`Provenance`], for the program as the front end made it.
pub fn check_regions(program: &Program) -> Result<(), RegionRejection> {
    let mut checker = Checker {
        program,
        claim: &program.provenance,
        values: IndexVec::from_elem(None, program.exprs.len()),
        addresses: program.objects.enumerated().map(|(id, object)| (object.address, id)).collect(),
        known: Set::default(),
        guessed: Map::default(),
        accessed: OrderedMap::default(),
        at: Span::default(),
    };
    checker.addresses.sort_unstable();
    checker.shape()?;
    checker.guesses()?;
    checker.at = Span::default();
    checker.start()?;
    for proc in &program.procs {
        for edge in &proc.edges {
            checker.at = edge.span;
            checker.stmt(&edge.stmt).map_err(|RegionRejection(what)| {
                RegionRejection(format!("{what} ({} in {})", checker.words(edge.span), proc.name))
            })?;
        }
    }
    // Where there is no object at all, there is nothing to split.
    if !checker.known.is_empty() {
        checker.no_guess_is_used()?;
    }
    checker.calls()
}

type Checked<T> = Result<T, RegionRejection>;

/// What a value can point to; `None`: to nothing that can be accessed.
type Origin = Option<Target>;

struct Checker<'p> {
    program: &'p Program,
    claim: &'p Provenance,
    /// Of expressions that were looked at.
    values: IndexVec<ExprId, Option<Origin>>,
    /// Of static objects, in ascending order.
    addresses: Vec<(u64, ObjectId)>,
    /// Classes of objects.
    known: Set<ClassId>,
    /// Other classes, to which inputs or calculated numbers belong, with the place of one.
    guessed: Map<ClassId, Span>,
    /// Classes that are used as addresses, with the first such place, in the order of the program.
    accessed: OrderedMap<ClassId, Span>,
    /// The statement that is looked at.
    at: Span,
}

fn reject<T>(what: impl Into<String>) -> Checked<T> {
    Err(RegionRejection(what.into()))
}

/// Whether a value of the type can be a part of an address: everything can but one bit.
fn holds_addresses(ty: Type) -> bool {
    !matches!(ty, Type::Bool) && !matches!(ty, Type::Int(int) if int == craig_program::IntType::BOOL)
}

impl Checker<'_> {
    /// Parts do not overlap, and regions know which objects they have.
    fn shape(&self) -> Checked<()> {
        let claim = self.claim;
        if claim.vars.len() > self.program.vars.len() || claim.objects.len() != self.program.objects.len() {
            return reject("the claim about memory is one about another program");
        }
        for class in &claim.classes {
            let whole = if class.stride > 0 { class.stride } else { i64::MAX };
            let mut end = if class.stride > 0 { 0 } else { i64::MIN };
            for part in &class.parts {
                let after = part.start.checked_add(part.size).filter(|&after| after <= whole);
                let Some(after) = after.filter(|_| part.size > 0 && part.start >= end) else {
                    return reject("parts of objects overlap");
                };
                end = after;
                if let Cell::Scalar(ty) = self.program.regions[part.region].cell
                    && i64::from(self.program.size_of(ty)) != part.size
                {
                    return reject("a part is not one cell of its region");
                }
            }
        }
        for (object, begin) in claim.objects.enumerated() {
            let memory = &self.program.objects[object];
            for part in &self.class(begin.class).parts {
                let region = &self.program.regions[part.region];
                if !memory.function && !region.objects.contains(&object) {
                    return reject(format!("'{}' is missing in region '{}'", memory.name, region.name));
                }
                if !memory.function && region.zeroed && !memory.zeroed {
                    return reject(format!("region '{}' does not start as zero", region.name));
                }
            }
        }
        for (id, region) in self.program.regions.enumerated() {
            for &object in &region.objects {
                let class = self.class(claim.objects[object].class);
                if class.parts.iter().all(|part| part.region != id) {
                    let name = &self.program.objects[object].name;
                    return reject(format!("'{name}' has no part in region '{}'", region.name));
                }
            }
        }
        Ok(())
    }

    /// Finds the classes that have nothing but inputs.
    fn guesses(&mut self) -> Checked<()> {
        self.known = self.claim.objects.iter().map(|object| object.class).collect();
        let mut inputs: Vec<(Place, Span)> = Vec::new();
        let entry = &self.program.procs[self.program.entry];
        inputs.extend(entry.params.iter().map(|&param| (Place::Var(param), Span::default())));
        for edge in self.program.procs.iter().flat_map(|proc| proc.edges.iter()) {
            match edge.stmt {
                Stmt::Alloc { var, .. } => self.known.extend(self.var(var).map(|target| target.class)),
                Stmt::Input(place, _) => inputs.push((place, edge.span)),
                _ => {}
            }
        }
        for (place, span) in inputs {
            self.at = span;
            let Place::Var(var) = place else { return reject("an input goes to memory") };
            match self.var(var) {
                None if holds_addresses(self.program.vars[var].ty) => return reject("an input has no class"),
                origin => self.guess(origin),
            }
        }
        Ok(())
    }

    /// The value can be any number.
    fn guess(&mut self, value: Origin) {
        if let Some(Target { class, .. }) = value
            && !self.known.contains(&class)
        {
            self.guessed.entry(class).or_insert(self.at);
        }
    }

    fn no_guess_is_used(&self) -> Checked<()> {
        let used = self.accessed.iter().find_map(|(class, at)| Some((self.guessed.get(class)?, at)));
        let Some((&guessed, &at)) = used else { return Ok(()) };
        let place = |span: Span| {
            if span.line == 0 { String::new() } else { format!(" at {}", self.words(span)) }
        };
        let (guess, access) = (place(guessed), place(at));
        reject(format!("an input or a calculated number{guess} is used as an address{access}"))
    }

    fn words(&self, span: Span) -> String {
        let file = self.program.files.get(span.file as usize).map_or("", |file| file);
        format!("{file}:{}", span.line)
    }

    /// The claim holds when the program starts.
    fn start(&mut self) -> Checked<()> {
        for (id, object) in self.program.objects.enumerated() {
            let begin = self.claim.objects[id];
            for &(offset, region, ty, value) in &object.init {
                let at = Target { offset: begin.offset.wrapping_add(offset as i64), ..begin };
                let content = self.access(Some(at), region, ty)?;
                self.flow(self.constant(ty, value), content, "an initial value")?;
            }
        }
        for (id, var) in self.program.vars.enumerated() {
            if let Scope::Global { init } = var.scope {
                self.flow(self.constant(var.ty, init), self.var(id), "the initial value of a variable")?;
            }
        }
        Ok(())
    }

    /// The statement keeps the claim.
    fn stmt(&mut self, stmt: &Stmt) -> Checked<()> {
        for id in self.program.exprs.postorder(&stmt_operands(stmt)) {
            if self.values[id].is_none() {
                let value = self.value(id)?;
                self.values[id] = Some(value);
            }
        }
        match *stmt {
            Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) => Ok(()),
            Stmt::Assign(place, value) => self.write(self.origin(value), place, "an assigned value"),
            Stmt::Input(place, _) => self.place(place).map(drop),
            Stmt::Call { callee, ref args, result } => {
                let callee = &self.program.procs[callee];
                for (&param, &arg) in callee.params.iter().zip(args) {
                    self.flow(self.origin(arg), self.var(param), "an argument")?;
                }
                if let Some(place) = result {
                    let value = callee.result.and_then(|result| self.var(result));
                    self.write(value, place, "a result")?;
                }
                Ok(())
            }
            Stmt::Alloc { var, .. } => {
                let Some(Target { class, .. }) = self.var(var) else {
                    return reject("an allocated object has no class");
                };
                for part in &self.class(class).parts {
                    let region = &self.program.regions[part.region];
                    if !region.allocated || region.zeroed {
                        return reject(format!("region '{}' has allocated objects", region.name));
                    }
                }
                Ok(())
            }
        }
    }

    /// A call through a pointer compares it with every function that it can hold.
    fn calls(&self) -> Checked<()> {
        for &(proc, pointer) in &self.claim.calls {
            let exprs = &self.program.exprs;
            let mut compared: Set<i128> = Set::default();
            for edge in &self.program.procs[proc].edges {
                if let Stmt::Assume(condition) = edge.stmt
                    && let Expr::Binary(BinaryOp::Eq, a, b) = exprs.get(condition)
                    && (a == pointer || b == pointer)
                {
                    compared.extend(exprs.as_const(if a == pointer { b } else { a }));
                }
            }
            let Some(Some(Target { class, .. })) = self.values[pointer] else { continue };
            for (id, object) in self.program.objects.enumerated().filter(|(_, object)| object.function) {
                if self.claim.objects[id].class == class && !compared.contains(&i128::from(object.address)) {
                    return reject(format!("a call through a pointer leaves out '{}'", object.name));
                }
            }
        }
        Ok(())
    }

    fn class(&self, class: ClassId) -> &Class {
        &self.claim.classes[class]
    }

    fn var(&self, var: craig_program::VarId) -> Origin {
        self.claim.vars.get(var).copied().flatten().filter(|_| holds_addresses(self.program.vars[var].ty))
    }

    fn origin(&self, value: ExprId) -> Origin {
        self.values[value].flatten()
    }

    /// The claim allows the value to be there.
    fn flow(&self, value: Origin, to: Origin, what: &str) -> Checked<()> {
        if self.join(value, to).is_ok_and(|joined| joined == to) {
            return Ok(());
        }
        reject(format!("{what} can point to where the claim about memory does not allow it"))
    }

    /// The claim allows the value to be written there.
    fn write(&mut self, value: Origin, place: Place, what: &str) -> Checked<()> {
        // An address that comes from no object is valid nowhere: no run gets past this.
        if let Place::Memory { addr, .. } = place
            && self.origin(addr).is_none()
        {
            return Ok(());
        }
        let to = self.place(place)?;
        self.flow(value, to, what)
    }

    fn place(&mut self, place: Place) -> Checked<Origin> {
        match place {
            Place::Var(var) => Ok(self.var(var)),
            Place::Memory { region, addr, ty } => self.access(self.origin(addr), region, ty),
        }
    }

    /// An access stays in its region. What is stored there can point to the result.
    fn access(&mut self, at: Origin, region: RegionId, ty: Type) -> Checked<Origin> {
        // Valid nowhere.
        let Some(Target { class, offset }) = at else { return Ok(None) };
        self.accessed.entry(class).or_insert(self.at);
        let class = &self.claim.classes[class];
        let size = i64::from(self.program.size_of(ty));
        let offset = if class.stride > 0 { offset.rem_euclid(class.stride) } else { offset };
        let last = class.parts.iter().rfind(|part| part.start <= offset);
        let Some(part) = last.filter(|part| part.region == region) else {
            return reject(format!(
                "an access through region '{}' can lie elsewhere",
                self.program.regions[region].name
            ));
        };
        let inside = offset < part.start + part.size;
        let whole = match self.program.regions[region].cell {
            Cell::Scalar(_) => part.start == offset && part.size == size,
            // In a part that is all of its class, an access goes on in the next round.
            Cell::Bytes => offset + size <= part.start + part.size || part.size == class.stride,
        };
        if !(inside && whole) {
            return reject(format!(
                "an access through region '{}' is not one to a part of it",
                self.program.regions[region].name
            ));
        }
        Ok(part.content.filter(|_| holds_addresses(ty)))
    }

    /// What the number can point to as an address: the object that it lies in, or that ends there.
    fn constant(&self, ty: Type, value: i128) -> Origin {
        let bits = u32::from(self.program.data_model.pointer_bits());
        if !holds_addresses(ty) || 8 * self.program.size_of(ty) < bits {
            return None;
        }
        let address = (value & ((1 << bits) - 1)) as u64;
        let after = self.addresses.partition_point(|&(start, _)| start <= address);
        let (start, object) = *self.addresses.get(after.checked_sub(1)?)?;
        let offset = address - start;
        let begin = self.claim.objects[object];
        (offset <= self.program.objects[object].size).then(|| self.moved(begin, i128::from(offset)))
    }

    /// What the expression can point to, after its operands.
    fn value(&mut self, id: ExprId) -> Checked<Origin> {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        let value = match exprs.get(id) {
            Expr::Const(ty, value) => self.constant(ty, value),
            Expr::Float(..) => None,
            Expr::Var(var) => self.var(var),
            Expr::Load { region, addr, ty } => self.access(self.origin(addr), region, ty)?,
            _ if !holds_addresses(ty) => None,
            Expr::Unary(_, a) => self.anywhere(self.origin(a))?,
            Expr::Cast(to, a) => {
                let rounds = to != exprs.ty(a) && (to.is_float() || exprs.ty(a).is_float());
                if rounds { self.anywhere(self.origin(a))? } else { self.origin(a) }
            }
            Expr::Ite(_, a, b) => self.join(self.origin(a), self.origin(b))?,
            Expr::Binary(op, a, b) => self.binary(op, a, b)?,
        };
        let is_calculated =
            matches!(exprs.get(id), Expr::Unary(..) | Expr::Binary(..)) && ty != Type::Pointer;
        if is_calculated {
            self.guess(value);
        }
        Ok(value.filter(|_| holds_addresses(ty)))
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Checked<Origin> {
        let exprs = &self.program.exprs;
        let (x, y) = (self.origin(a), self.origin(b));
        let pointers = (exprs.ty(a) == Type::Pointer, exprs.ty(b) == Type::Pointer);
        match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => Ok(None),
            BinaryOp::Sub if pointers == (true, true) && x.is_some() && y.is_some() => {
                match self.share_class(x, y) {
                    true => Ok(None),
                    false => reject("a distance between two objects that the claim about memory keeps apart"),
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => self.anywhere(x),
            BinaryOp::Add | BinaryOp::Sub => {
                let (from, by) = match (exprs.as_const(a), exprs.as_const(b)) {
                    (_, Some(by)) if y.is_none() => (x, by),
                    (Some(by), _) if x.is_none() && op == BinaryOp::Add => (y, by),
                    // A pointer stays in its object, whatever it is moved by.
                    _ if pointers.0 && x.is_some() => {
                        return if self.is_multiple(x, b) { Ok(x) } else { self.anywhere(x) };
                    }
                    _ => return self.anywhere(self.join(x, y)?),
                };
                let by = if op == BinaryOp::Add { by } else { -by };
                Ok(from.map(|target| self.moved(target, by)))
            }
            _ => self.anywhere(self.join(x, y)?),
        }
    }

    /// Whether a pointer moved by the distance is the same modulo the stride of its class.
    fn is_multiple(&self, pointer: Origin, distance: ExprId) -> bool {
        let Some(target) = pointer else { return true };
        let stride = self.class(target.class).stride;
        stride > 0 && self.factor_of(distance) % i128::from(stride) == 0
    }

    /// A number by which a distance can be divided: the product of the constants in it, as far as products, and numbers
    /// that change their types, are what they are without limits; what wraps around keeps the powers of two.
    fn factor_of(&self, distance: ExprId) -> i128 {
        let exprs = &self.program.exprs;
        let (mut factor, mut powers) = (1i128, 1i128);
        // Together with an expression: whether it stands below one that may wrap around.
        let mut work = vec![(distance, false)];
        let mut seen = 0;
        while let Some((id, is_wrapped)) = work.pop() {
            seen += 1;
            match exprs.get(id) {
                Expr::Const(_, value) if value != 0 => {
                    let value = value.checked_abs().unwrap_or(1);
                    let part = if is_wrapped { &mut powers } else { &mut factor };
                    let own = if is_wrapped { 1 << value.trailing_zeros() } else { value };
                    *part = part.checked_mul(own).unwrap_or(*part);
                }
                Expr::Binary(BinaryOp::Mul, a, b) if seen < MOST_FACTORS => {
                    let signed = matches!(exprs.ty(id), Type::Int(int) if int.signed);
                    let exact = match self.program.arithmetic {
                        Arithmetic::Ideal => true,
                        Arithmetic::AssumeNoOverflow => signed,
                        Arithmetic::Wrap => false,
                    };
                    work.extend([(a, is_wrapped || !exact), (b, is_wrapped || !exact)]);
                }
                Expr::Cast(Type::Int(_), a) if seen < MOST_FACTORS && matches!(exprs.ty(a), Type::Int(_)) => {
                    work.push((a, true));
                }
                _ => {}
            }
        }
        factor.checked_mul(powers).unwrap_or(factor)
    }

    /// Moved by a number of bytes, modulo the size of the address space.
    fn moved(&self, target: Target, by: i128) -> Target {
        let bits = u32::from(self.program.data_model.pointer_bits());
        let offset = (i128::from(target.offset) + by) << (128 - bits) >> (128 - bits);
        let stride = i128::from(self.class(target.class).stride);
        let offset = if stride > 0 { offset.rem_euclid(stride) } else { offset };
        Target { offset: offset as i64, ..target }
    }

    /// One of two values.
    fn join(&self, a: Origin, b: Origin) -> Checked<Origin> {
        let (Some(x), Some(y)) = (a, b) else { return Ok(a.or(b)) };
        if x.class == y.class && self.moved(x, 0) == self.moved(y, 0) {
            return Ok(b);
        }
        reject("a value can come from two objects that the claim about memory keeps apart")
    }

    fn share_class(&self, a: Origin, b: Origin) -> bool {
        a.map(|target| target.class) == b.map(|target| target.class)
    }

    /// A value whose offset is lost: it must not matter.
    fn anywhere(&self, value: Origin) -> Checked<Origin> {
        match value {
            // Where nothing is accessed, no place matters.
            Some(Target { class, .. })
                if self.class(class).stride != 1 && !self.class(class).parts.is_empty() =>
            {
                reject("an address is computed in a way that loses its place in the object")
            }
            _ => Ok(value),
        }
    }
}
