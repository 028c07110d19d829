//! Reads of volatile objects.
//!
//! What the program only names, and never gives a value, is there to be changed by something else: each read is an
//! input. Of other volatile objects it is assumed that nothing but the program changes them.

use craig_base::Set;
use craig_program as ir;
use ir::{ExprId, InputSource, NoteKind, Type};

use super::body::Body;
use crate::harness::VOLATILE;
use crate::hir::{ExprKind, Global, GlobalId, InitValue, PlaceId, PlaceKind, Program};

impl Body<'_, '_> {
    /// The value that is read, if anything else may have changed it.
    pub fn volatile_read(&mut self, place: PlaceId, ty: Type) -> Option<ExprId> {
        let hir = self.hir();
        if !hir.places[place].ty.quals.is_volatile() {
            return None;
        }
        let global = match root(hir, place) {
            Some(PlaceKind::Local(_)) => return None,
            Some(PlaceKind::Global(global)) => Some(global),
            _ => None,
        };
        if let Some(&global) = global
            && !self.lw.volatile_written.get_or_insert_with(|| written(hir)).contains(&global)
        {
            let name = &hir.globals[global].name;
            let source = InputSource::Unmodelled(format!("{VOLATILE}'{name}'").into());
            let statement = self.span;
            self.at(hir.places[place].span);
            let value = self.input(ty, source);
            self.span = statement;
            return Some(value);
        }
        let at = self.span;
        self.lw.note(
            NoteKind::Assumption,
            at,
            "nothing but the program changes volatile objects".to_string(),
        );
        None
    }
}

/// The object that a place is in, if it is named.
fn root(hir: &Program, mut place: PlaceId) -> Option<&PlaceKind> {
    loop {
        match &hir.places[place].kind {
            PlaceKind::Field { record, .. } => place = *record,
            PlaceKind::Deref(pointer) => place = super::footprint::array_of(hir, *pointer)?,
            PlaceKind::Temporary(_) => return None,
            named => return Some(named),
        }
    }
}

/// The globals that the program gives values: where it defines them, or by some expression, with their name or by their
/// address. One that begins with zero waits for something else to set it, as flags do.
fn written(hir: &Program) -> Set<GlobalId> {
    let is_given = |global: &Global| {
        let items = global.init.iter().flat_map(|init| &init.items);
        items.into_iter().any(|item| match item.value {
            InitValue::Expr(value) => !matches!(hir.exprs[value].kind, ExprKind::Int(0)),
            InitValue::Text(_) => true,
        })
    };
    let given = hir.globals.enumerated().filter(|(_, global)| is_given(global));
    let mut found: Set<GlobalId> = given.map(|(id, _)| id).collect();
    // Elements are accessed by the array's address, which goes nowhere else.
    let mut accessed = Set::default();
    for place in &hir.places {
        if let PlaceKind::Deref(pointer) = place.kind {
            accessed.extend(super::footprint::array_of(hir, pointer));
        }
    }
    for expr in &hir.exprs {
        let place = match expr.kind {
            ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => place,
            ExprKind::AddressOf(place) => place,
            ExprKind::Decay(place) if !accessed.contains(&place) => place,
            _ => continue,
        };
        if let Some(PlaceKind::Global(global)) = root(hir, place) {
            found.insert(*global);
        }
    }
    found
}
