//! A check of the program itself: that its regions really split memory.
//!
//! Encoders treat regions as separate arrays. That is right only if no byte is stored through one
//! region and loaded through another, and if every cell of a scalar region is accessed as one value
//! of its type. A run can watch for that.

use crate::outcome::Site;
use craig_base::Map;
use craig_program::{Cell, Program, RegionId, Type};

/// An access that an encoder would not understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionViolation {
    pub site: Site,
    pub address: u64,
    pub kind: ViolationKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The byte was stored through another region.
    OtherRegion { stored: RegionId, loaded: RegionId },
    /// A cell was accessed by a part of it, or across its end.
    BrokenCell { region: RegionId },
    /// A scalar region was accessed as another type than that of its cells.
    OtherType { region: RegionId, ty: Type },
}

impl RegionViolation {
    pub fn describe(&self, program: &Program) -> String {
        let name = |region: RegionId| &program.regions[region].name;
        let what = match self.kind {
            ViolationKind::OtherRegion { stored, loaded } => {
                format!("stored through region {} and loaded through region {}", name(stored), name(loaded))
            }
            ViolationKind::BrokenCell { region } => format!("not a whole cell of region {}", name(region)),
            ViolationKind::OtherType { region, ty } => {
                format!("accessed as {ty}, which is not the type of region {}", name(region))
            }
        };
        format!("{:#x} {what} at {}", self.address, self.site.describe(program))
    }
}

/// Who stored each byte, and what went wrong so far.
pub struct RegionCheck<'p> {
    program: &'p Program,
    /// For each byte that was stored: the region, and the address of the whole value.
    owners: Map<u64, (RegionId, u64)>,
    pub violations: Vec<RegionViolation>,
}

/// More would only repeat the first.
const LISTED_VIOLATIONS: usize = 16;

impl<'p> RegionCheck<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut owners = Map::default();
        for object in &program.objects {
            for &(offset, region, ty, _) in &object.init {
                let start = object.address + offset;
                for i in 0..u64::from(program.size_of(ty)) {
                    owners.insert(start + i, (region, start));
                }
            }
        }
        RegionCheck { program, owners, violations: Vec::new() }
    }

    fn report(&mut self, site: Site, address: u64, kind: ViolationKind) {
        if self.violations.len() < LISTED_VIOLATIONS {
            self.violations.push(RegionViolation { site, address, kind });
        }
    }

    fn check_type(&mut self, region: RegionId, ty: Type, address: u64, site: Site) {
        if let Cell::Scalar(cell) = self.program.regions[region].cell
            && self.program.size_of(cell) != self.program.size_of(ty)
        {
            self.report(site, address, ViolationKind::OtherType { region, ty });
        }
    }

    pub fn load(&mut self, region: RegionId, ty: Type, address: u64, site: Site) {
        self.check_type(region, ty, address, site);
        let scalar = matches!(self.program.regions[region].cell, Cell::Scalar(_));
        for i in 0..u64::from(self.program.size_of(ty)) {
            match self.owners.get(&address.wrapping_add(i)) {
                Some(&(stored, _)) if stored != region => {
                    let kind = ViolationKind::OtherRegion { stored, loaded: region };
                    return self.report(site, address.wrapping_add(i), kind);
                }
                Some(&(_, start)) if scalar && start != address => {
                    return self.report(site, address, ViolationKind::BrokenCell { region });
                }
                _ => {}
            }
        }
    }

    pub fn store(&mut self, region: RegionId, ty: Type, address: u64, site: Site) {
        self.check_type(region, ty, address, site);
        let scalar = matches!(self.program.regions[region].cell, Cell::Scalar(_));
        for i in 0..u64::from(self.program.size_of(ty)) {
            let before = self.owners.insert(address.wrapping_add(i), (region, address));
            if let Some((owner, start)) = before
                && scalar
                && owner == region
                && start != address
            {
                self.report(site, address, ViolationKind::BrokenCell { region });
            }
        }
    }
}
