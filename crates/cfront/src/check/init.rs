//! Initialisers (C11 6.7.9), flattened to offsets and values.
//!
//! Within braces a cursor walks over the parts of the object: a stack of aggregates that it is in, because
//! inner braces may be left out. A designator moves it.

use craig_base::Map;

use super::compatible::{Quals, compatible};
use super::{Checked, Checker, error, unsupported};
use crate::ast::{self, Designator, Expr, Init, InitList, InitListItem};
use crate::hir::{
    CastKind, ExprId, ExprKind, GlobalOrigin, InitItem, InitValue, Initializer, PlaceId, PlaceKind, Text,
};
use crate::lex::literal::Encoding;
use crate::source::Span;
use crate::types::{ArrayLength, BitField, QualType, RecordKind, TypeId, TypeKind};

/// Initialisers with more parts than this (by ranges) are refused.
const MAX_ITEMS: usize = 1 << 22;

/// A part of the object that is being initialised.
#[derive(Clone, Copy)]
struct Part {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
}

/// An aggregate that the cursor is in, and the number of its next part.
struct Level {
    ty: TypeId,
    offset: u64,
    next: u64,
}

impl Checker<'_> {
    /// The initialiser of an object of type `ty`, which is completed if it is an array of unknown length.
    pub(super) fn initializer(
        &mut self,
        ty: QualType,
        init: &Init,
        span: Span,
    ) -> Checked<(QualType, Initializer)> {
        let unknown = match self.program.types.array(ty.ty) {
            Some((element, ArrayLength::Unknown)) => Some(element),
            _ => None,
        };
        if unknown.is_none() && !self.program.types.is_complete(ty.ty) {
            return error(
                span,
                format!("an object of incomplete type `{}` cannot be initialised", self.show(ty)),
            );
        }
        let mut items = Vec::new();
        let around = std::mem::take(&mut self.replaced);
        let length = self.init_part(Part { ty: ty.ty, offset: 0, bits: None }, init, &mut items)?;
        let mut replaced = std::mem::replace(&mut self.replaced, around);
        let ty = match unknown {
            Some(element) => {
                let complete = self.types().array_of(element, ArrayLength::Known(length));
                QualType { ty: complete, quals: ty.quals }
            }
            None => ty,
        };
        if self.static_init {
            for item in &mut items {
                if let InitValue::Expr(value) = item.value
                    && !self.is_static_value(value)
                {
                    // gcc takes the value of a literal object.
                    if let Some(value) = self.value_of_literal(value) {
                        item.value = InitValue::Expr(value);
                        continue;
                    }
                    return error(
                        self.span_of(value),
                        "the initial value of a static object must be constant",
                    );
                }
            }
        }
        let given = |items: &[InitItem]| -> Vec<ExprId> { items.iter().filter_map(InitItem::expr).collect() };
        replaced.extend(given(&items));
        let items = self.normalize(items, span)?;
        let kept = given(&items);
        replaced.retain(|value| !kept.contains(value));
        Ok((ty, Initializer { items, replaced }))
    }

    /// The constant that a compound literal is made of, where that is a number or pointer.
    fn value_of_literal(&self, expr: ExprId) -> Option<ExprId> {
        let ExprKind::Load(place) = self.program.exprs[expr].kind else { return None };
        let PlaceKind::Global(global) = self.program.places[place].kind else { return None };
        let global = &self.program.globals[global];
        match global.init.as_ref()?.items.as_slice() {
            [InitItem { offset: 0, bits: None, value: InitValue::Expr(value), .. }]
                if global.origin == GlobalOrigin::CompoundLiteral && self.is_static_value(*value) =>
            {
                Some(*value)
            }
            _ => None,
        }
    }

    /// Returns how many elements were given, if the part is an array.
    fn init_part(&mut self, part: Part, init: &Init, items: &mut Vec<InitItem>) -> Checked<u64> {
        let aggregate = self.is_aggregate(part.ty);
        match init {
            Init::Expr(expr) => self.init_from_expr(part, expr, items),
            Init::List(list) if aggregate => {
                // A string may stand in braces.
                if let [InitListItem { designators, init: Init::Expr(expr) }] = list.items.as_slice()
                    && designators.is_empty()
                    && self.takes_string(part.ty, expr)
                {
                    return self.init_from_expr(part, expr, items);
                }
                self.init_list(part, list, items)
            }
            Init::List(list) => match list.items.as_slice() {
                [] => Ok(0),
                [first, rest @ ..] => {
                    if !first.designators.is_empty() {
                        return error(list.span, "a number or pointer has no parts to designate");
                    }
                    if !rest.is_empty() {
                        self.warn(list.span, "more values than the object has parts");
                    }
                    self.init_part(part, &first.init, items)
                }
            },
        }
    }

    /// A complex number is a record here, but has one value for C.
    fn is_aggregate(&self, ty: TypeId) -> bool {
        match self.program.types.kind(ty) {
            TypeKind::Array { .. } => true,
            TypeKind::Record(_) => self.complex_parts(ty).is_none(),
            _ => false,
        }
    }

    /// Whether `expr` is a string literal that initialises an array of type `ty`.
    fn takes_string(&self, ty: TypeId, expr: &Expr) -> bool {
        let ast::ExprKind::String(literal) = &expr.kind else { return false };
        let Some((element, _)) = self.program.types.array(ty) else { return false };
        match literal.encoding {
            Encoding::Narrow => {
                matches!(element.ty, TypeId::CHAR | TypeId::SIGNED_CHAR | TypeId::UNSIGNED_CHAR)
            }
            other => {
                self.program.types.int_info(element.ty).map(|info| info.bits)
                    == self.program.types.int_info(self.character_type(other)).map(|info| info.bits)
            }
        }
    }

    fn init_from_expr(&mut self, part: Part, expr: &Expr, items: &mut Vec<InitItem>) -> Checked<u64> {
        if self.takes_string(part.ty, expr) {
            return self.init_from_string(part, expr, items);
        }
        if let ast::ExprKind::CompoundLiteral(name, list) = &expr.kind
            && self.is_aggregate(part.ty)
        {
            let literal = self.type_name(name)?;
            if let Some(length) = self.init_from_literal(part, literal.ty, list, items)? {
                return Ok(length);
            }
            if !self.program.types.is_array(part.ty) {
                let operand = self.literal_of(literal, list, expr.span)?;
                let value = self.value(operand)?;
                return self.init_from_value(part, value, items).map(|()| 0);
            }
        }
        if self.program.types.is_array(part.ty) {
            return error(expr.span, "an array is initialised by values in braces or by a string");
        }
        let operand = self.expression(expr)?;
        let value = self.value(operand)?;
        self.init_from_value(part, value, items)?;
        Ok(0)
    }

    /// GNU: the values of a compound literal of the object's type become the object's own, which makes it a
    /// constant too. Returns the length of the literal's array.
    fn init_from_literal(
        &mut self,
        part: Part,
        literal: TypeId,
        list: &InitList,
        items: &mut Vec<InitItem>,
    ) -> Checked<Option<u64>> {
        if !compatible(&self.program.types, literal, part.ty, Quals::Ignore) {
            return Ok(None);
        }
        let given = self.init_part(part, &Init::List(list.clone()), items)?;
        Ok(Some(match self.program.types.array(literal) {
            Some((_, ArrayLength::Known(length))) => length,
            _ => given,
        }))
    }

    fn init_from_value(&mut self, part: Part, value: ExprId, items: &mut Vec<InitItem>) -> Checked<()> {
        let value = self.assign_convert(value, part.ty, "the object")?;
        let Part { ty, offset, bits } = part;
        items.push(InitItem { offset, ty, bits, value: InitValue::Expr(value) });
        Ok(())
    }

    fn init_from_string(&mut self, part: Part, expr: &Expr, items: &mut Vec<InitItem>) -> Checked<u64> {
        let ast::ExprKind::String(literal) = &expr.kind else { return Ok(0) };
        let mut literal = literal.clone();
        let with_zero = literal.units.len() as u64 + 1;
        if let Some((_, ArrayLength::Known(length))) = self.program.types.array(part.ty)
            && (literal.units.len() as u64) > length
        {
            self.warn(expr.span, "the string is longer than the array");
            literal.units.truncate(length as usize);
        }
        let ty = match self.program.types.array(part.ty) {
            Some((element, ArrayLength::Unknown)) => {
                self.types().array_of(element, ArrayLength::Known(with_zero))
            }
            _ => part.ty,
        };
        let value = InitValue::Text(Self::string_text(&literal));
        items.push(InitItem { offset: part.offset, ty, bits: None, value });
        Ok(with_zero)
    }

    fn init_list(&mut self, whole: Part, list: &InitList, items: &mut Vec<InitItem>) -> Checked<u64> {
        let mut stack = vec![Level { ty: whole.ty, offset: whole.offset, next: 0 }];
        let mut length = 0;
        let first_of_list = items.len();
        // Which member of a union the values so far are for, by the union's offset and type.
        let mut active = Map::default();
        for item in &list.items {
            let mut repeats = Vec::new();
            let part = if item.designators.is_empty() {
                match self.next_part(&mut stack) {
                    Some(part) => part,
                    None => {
                        let span = match &item.init {
                            Init::Expr(expr) => expr.span,
                            Init::List(list) => list.span,
                        };
                        self.warn(span, "more values than the object has parts");
                        continue;
                    }
                }
            } else {
                let part = self.designated(&mut stack, &item.designators, &mut repeats, list.span)?;
                self.switch_members(&stack, &mut active, first_of_list, items);
                part
            };
            if matches!(item.init, Init::List(_)) && self.is_aggregate(part.ty) {
                // Braces are for all of the part: nothing that was given for some of it stays (6.7.9 p19).
                let end = part.offset + self.program.types.size_of(part.ty).unwrap_or(0);
                self.replaced.extend(forget(items, first_of_list, part.offset..end));
            }
            let first_new = items.len();
            match &item.init {
                Init::List(_) => {
                    self.init_part(part, &item.init, items)?;
                }
                Init::Expr(expr) => self.init_unbraced(part, expr, &mut stack, items)?,
            }
            length = length.max(stack[0].next);
            for (stride, count) in repeats {
                let block: Vec<InitItem> = items[first_new..].to_vec();
                if block.len().saturating_mul(count as usize) > MAX_ITEMS {
                    return unsupported(list.span, format!("initialisers of more than {MAX_ITEMS} values"));
                }
                for i in 1..count {
                    let shifted =
                        |item: &InitItem| InitItem { offset: item.offset + i * stride, ..item.clone() };
                    items.extend(block.iter().map(shifted));
                }
            }
        }
        Ok(length)
    }

    /// A value without braces of its own for `part`: for the whole of it if it fits, else for its first part,
    /// into which the cursor goes.
    fn init_unbraced(
        &mut self,
        part: Part,
        expr: &Expr,
        stack: &mut Vec<Level>,
        items: &mut Vec<InitItem>,
    ) -> Checked<()> {
        let mut part = part;
        let mut value = None;
        loop {
            if !self.is_aggregate(part.ty) || self.takes_string(part.ty, expr) {
                return match value {
                    Some(value) => self.init_from_value(part, value, items),
                    None => self.init_from_expr(part, expr, items).map(|_| ()),
                };
            }
            if let (None, ast::ExprKind::CompoundLiteral(name, list)) = (value, &expr.kind) {
                let literal = self.type_name(name)?;
                if self.init_from_literal(part, literal.ty, list, items)?.is_some() {
                    return Ok(());
                }
                let operand = self.literal_of(literal, list, expr.span)?;
                value = Some(self.value(operand)?);
            }
            // Arrays are never copied; a record is, if the value is of its type.
            let is_string = matches!(expr.kind, ast::ExprKind::String(_));
            if self.program.types.as_record(part.ty).is_some() && !is_string {
                let known = match value {
                    Some(value) => value,
                    None => {
                        let operand = self.expression(expr)?;
                        let known = self.value(operand)?;
                        value = Some(known);
                        known
                    }
                };
                let fits = |ty| self.vector_lanes(ty).is_some();
                if self.type_of(known) == part.ty || (fits(part.ty) && fits(self.type_of(known))) {
                    return self.init_from_value(part, known, items);
                }
            }
            let Some(inner) = self.part(part.ty, part.offset, 0) else {
                self.warn(expr.span, "this value is for an object without parts");
                return Ok(());
            };
            stack.push(Level { ty: part.ty, offset: part.offset, next: 1 });
            part = inner;
        }
    }

    /// Moves the cursor to the next part, out of aggregates that are full.
    fn next_part(&mut self, stack: &mut Vec<Level>) -> Option<Part> {
        loop {
            let level = stack.last_mut()?;
            if let Some(part) = self.part(level.ty, level.offset, level.next) {
                level.next += 1;
                return Some(part);
            }
            if stack.len() == 1 {
                return None;
            }
            stack.pop();
        }
    }

    fn part(&self, ty: TypeId, offset: u64, number: u64) -> Option<Part> {
        let types = &self.program.types;
        match types.kind(ty) {
            TypeKind::Array { element, length } => {
                let in_range = match length {
                    ArrayLength::Known(length) => number < *length,
                    ArrayLength::Unknown | ArrayLength::Variable(_) => true,
                };
                let offset = offset.checked_add(number.checked_mul(types.size_of(element.ty)?)?)?;
                in_range.then_some(Part { ty: element.ty, offset, bits: None })
            }
            TypeKind::Record(record) => {
                if types.record(*record).kind == RecordKind::Union && number > 0 {
                    return None;
                }
                let field = types.fields(*record).get(number as usize)?;
                Some(Part { ty: field.ty.ty, offset: offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    fn designated(
        &mut self,
        stack: &mut Vec<Level>,
        designators: &[Designator],
        repeats: &mut Vec<(u64, u64)>,
        span: Span,
    ) -> Checked<Part> {
        stack.truncate(1);
        let mut selected: Option<Part> = None;
        for designator in designators {
            if let Some(part) = selected {
                stack.push(Level { ty: part.ty, offset: part.offset, next: 0 });
            }
            let ty = stack.last().map_or(TypeId::VOID, |level| level.ty);
            let part = match designator {
                Designator::Field(name, name_span) => {
                    let path = self.program.types.as_record(ty).map(|record| {
                        let text = self.text(*name);
                        self.program.types.find_field(record, text)
                    });
                    let Some(Some(path)) = path else {
                        let (shown, text) = (self.show(ty), self.text(*name));
                        return error(*name_span, format!("`{shown}` has no member `{text}`"));
                    };
                    let mut part = None;
                    for field in path {
                        if let Some(Part { ty, offset, .. }) = part {
                            stack.push(Level { ty, offset, next: 0 });
                        }
                        part = self.select(stack, field as u64, true);
                    }
                    part
                }
                Designator::Index(index) => {
                    let number = self.designated_index(ty, index)?;
                    self.select(stack, number, false)
                }
                Designator::Range(low, high) => {
                    let first = self.designated_index(ty, low)?;
                    let last = self.designated_index(ty, high)?;
                    if last < first {
                        return error(low.span.to(high.span), "this range is empty");
                    }
                    let stride =
                        self.program.types.array(ty).and_then(|(e, _)| self.program.types.size_of(e.ty));
                    repeats.insert(0, (stride.unwrap_or(0), last - first + 1));
                    let part = self.select(stack, first, false);
                    if let Some(level) = stack.last_mut() {
                        level.next = last + 1;
                    }
                    part
                }
            };
            let Some(part) = part else {
                return error(span, "this designator names no part of the object");
            };
            selected = Some(part);
        }
        match selected {
            Some(part) => Ok(part),
            None => error(span, "a designator is missing"),
        }
    }

    /// Where a designator has selected another member of a union than before, what was given for that one is gone.
    fn switch_members(
        &mut self,
        stack: &[Level],
        active: &mut Map<(u64, TypeId), u64>,
        first_of_list: usize,
        items: &mut Vec<InitItem>,
    ) {
        for level in stack {
            let types = &self.program.types;
            let is_union = |record| types.record(record).kind == RecordKind::Union;
            if !types.as_record(level.ty).is_some_and(is_union) {
                continue;
            }
            let old = active.insert((level.offset, level.ty), level.next);
            if old.is_some_and(|old| old != level.next) {
                let end = level.offset + types.size_of(level.ty).unwrap_or(0);
                self.replaced.extend(forget(items, first_of_list, level.offset..end));
            }
        }
    }

    /// Selects a part of the innermost aggregate; any member of a union can be.
    fn select(&self, stack: &mut [Level], number: u64, is_field: bool) -> Option<Part> {
        let level = stack.last_mut()?;
        level.next = number.checked_add(1)?;
        if is_field {
            let record = self.program.types.as_record(level.ty)?;
            let field = self.program.types.fields(record).get(number as usize)?;
            return Some(Part { ty: field.ty.ty, offset: level.offset + field.offset, bits: field.bits });
        }
        self.part(level.ty, level.offset, number)
    }

    fn designated_index(&mut self, ty: TypeId, index: &Expr) -> Checked<u64> {
        let Some((_, length)) = self.program.types.array(ty) else {
            return error(index.span, format!("`{}` is no array", self.show(ty)));
        };
        let value = self.constant(index, "the index of a designator")?;
        let limit = match length {
            ArrayLength::Known(length) => length,
            ArrayLength::Unknown | ArrayLength::Variable(_) => 1 << 40,
        };
        match u64::try_from(value) {
            Ok(value) if value < limit => Ok(value),
            _ => error(index.span, "this index is outside of the array"),
        }
    }

    /// Sorts the parts by offset; what is given later replaces what it overlaps.
    fn normalize(&mut self, items: Vec<InitItem>, span: Span) -> Checked<Vec<InitItem>> {
        let in_order = items.windows(2).all(|pair| self.extent(&pair[0]).1 <= self.extent(&pair[1]).0);
        if in_order {
            return Ok(items);
        }
        let items = self.texts_taken_apart(items, span)?;
        let extent = |item: &InitItem| self.extent(item);
        let mut numbered: Vec<(usize, InitItem)> = items.into_iter().enumerate().collect();
        numbered.sort_by_key(|(number, item)| (extent(item).0, *number));
        let mut kept: Vec<(usize, InitItem)> = Vec::with_capacity(numbered.len());
        // The last value that is taken whole, and then replaced in parts: its number and end.
        let mut whole = (0, 0);
        'items: for (number, item) in numbered {
            let (start, end) = extent(&item);
            if number < whole.0 && start < whole.1 {
                continue;
            }
            while let Some((last_number, last)) = kept.last() {
                let (last_start, last_end) = extent(last);
                if last_end <= start || start == end {
                    break;
                }
                if *last_number > number {
                    continue 'items;
                }
                if last_start < start || last_end > end {
                    if self.static_init || last.bits.is_some() {
                        // The whole would have to be taken apart.
                        let what = "an initialiser that replaces part of a value given before";
                        return unsupported(span, what);
                    }
                    whole = (*last_number, last_end);
                    break;
                }
                kept.pop();
            }
            kept.push((number, item));
        }
        Ok(kept.into_iter().map(|(_, item)| item).collect())
    }

    /// The bits of an object that an item is for.
    fn extent(&self, item: &InitItem) -> (u64, u64) {
        let start = item.offset * 8;
        match item.bits {
            Some(bits) => {
                let start = start + u64::from(bits.offset);
                (start, start + u64::from(bits.width))
            }
            None => (start, start + self.program.types.size_of(item.ty).unwrap_or(0) * 8),
        }
    }

    /// A text of which a part is replaced becomes a value for each element.
    fn texts_taken_apart(&mut self, items: Vec<InitItem>, span: Span) -> Checked<Vec<InitItem>> {
        let mut starts: Vec<(u64, u64)> = items.iter().map(|item| self.extent(item)).collect();
        starts.sort_unstable();
        let mut apart = Vec::with_capacity(items.len());
        for item in items {
            let (start, end) = self.extent(&item);
            let inside = starts.partition_point(|&other| other < (start, 0));
            let is_whole = |&&(other, other_end): &&(u64, u64)| (other, other_end) != (start, end);
            let part = starts[inside..].iter().take_while(|other| other.0 < end).find(is_whole);
            let (InitValue::Text(text), Some(_), Some((element, ArrayLength::Known(length)))) =
                (&item.value, part, self.program.types.array(item.ty))
            else {
                apart.push(item);
                continue;
            };
            if apart.len() as u64 + length > MAX_ITEMS as u64 {
                return unsupported(span, format!("initialisers of more than {MAX_ITEMS} values"));
            }
            let units: Vec<i128> = match text {
                Text::Bytes(bytes) => bytes.iter().map(|&byte| byte.into()).collect(),
                Text::Wide(units) => units.iter().map(|&unit| unit.into()).collect(),
            };
            let size = self.program.types.size_of(element.ty).unwrap_or(1);
            for number in 0..length {
                let unit = units.get(number as usize).copied().unwrap_or(0);
                let value = InitValue::Expr(self.int(unit, element.ty, span));
                let offset = item.offset + number * size;
                apart.push(InitItem { offset, ty: element.ty, bits: None, value });
            }
        }
        Ok(apart)
    }

    /// Whether a value is known before the program starts: a constant or an address (6.6 p7).
    fn is_static_value(&self, expr: ExprId) -> bool {
        match &self.program.exprs[expr].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => true,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.is_static_place(*place),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.is_static_value(*pointer) && self.is_static_value(*index)
            }
            ExprKind::Cast(kind, operand) => *kind != CastKind::ToVoid && self.is_static_value(*operand),
            ExprKind::Unary(_, operand) => self.is_static_value(*operand),
            ExprKind::Binary(_, left, right) | ExprKind::Logical(_, left, right) => {
                self.is_static_value(*left) && self.is_static_value(*right)
            }
            ExprKind::PtrDiff { left, right, .. } => {
                self.is_static_value(*left) && self.is_static_value(*right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].iter().all(|&&e| self.is_static_value(e))
            }
            _ => false,
        }
    }

    fn is_static_place(&self, place: PlaceId) -> bool {
        match &self.program.places[place].kind {
            PlaceKind::Global(_) => true,
            PlaceKind::Field { record, .. } => self.is_static_place(*record),
            PlaceKind::Deref(pointer) => self.is_static_value(*pointer),
            _ => false,
        }
    }
}

/// Drops the values from the `first` one on that were given for the bytes, and returns them.
fn forget(items: &mut Vec<InitItem>, first: usize, bytes: std::ops::Range<u64>) -> Vec<ExprId> {
    let is_kept = |item: &InitItem| !bytes.contains(&item.offset);
    let (kept, dropped): (Vec<InitItem>, Vec<InitItem>) = items.drain(first..).partition(is_kept);
    items.extend(kept);
    dropped.iter().filter_map(InitItem::expr).collect()
}
