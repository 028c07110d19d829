//! Running a compiled program.

use crate::closed::{self, Choice, Closed};
use crate::code::{Code, Detail};
use crate::compile::compile;
use crate::concrete::Concrete;
use crate::ideal::Ideal;
use crate::input::{Input, InputOracle, ListOracle, Source};
use crate::leak;
use crate::machine::{Limits, Machine, Observer};
use crate::numbers::{Narrow, Numbers, Wide};
use crate::observe::NoObserver;
use crate::outcome::Outcome;
use crate::regions::{RegionCheck, RegionViolation};
use crate::test::Test;
use craig_base::{Index, Map};
use craig_program::{Arithmetic, ExprId, FloatType, IntType, Program, Type};
use std::cell::Cell;

/// A program that is ready to run, as often as wanted.
#[derive(Debug)]
pub struct Executable<'p> {
    program: &'p Program,
    code: Code,
    width: Width,
    check_regions: bool,
}

/// Which numbers the program needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Narrow,
    Wide,
    Ideal,
}

impl Width {
    pub(crate) fn of(program: &Program) -> Width {
        if program.arithmetic == Arithmetic::Ideal {
            return Width::Ideal;
        }
        let wide =
            |ty: Type| matches!(ty, Type::Int(IntType { bits: 65.., .. }) | Type::Float(FloatType::F80));
        // An expression of a wide type may appear between narrow variables.
        let any = program.vars.iter().any(|var| wide(var.ty))
            || (0..program.exprs.len()).any(|i| wide(program.exprs.ty(ExprId::from_usize(i))))
            || program.objects.iter().any(|object| object.init.iter().any(|&(_, _, ty, _)| wide(ty)));
        if any { Width::Wide } else { Width::Narrow }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// Statements, that is edges.
    pub steps: u64,
    /// In the order in which they were consumed: a test that repeats this run.
    pub inputs: Vec<Input>,
    /// Found by an executable that is [checking regions](Executable::checking_regions).
    pub region_violations: Vec<RegionViolation>,
    /// The number of the allocation whose object was accessed or freed wrongly at the end, or is lost there. The
    /// checks of the program ask for the one object that it tracks; this is the one to track.
    pub misused: Option<usize>,
}

impl Run {
    pub fn test(&self, program: &Program) -> Test {
        Test::new(program, &self.inputs)
    }

    /// The test that repeats this run and tracks the object that was misused, if that is not known to be another.
    pub fn tracking_misused(&self, program: &Program) -> Option<Test> {
        let misused = self.misused?;
        let mut inputs = self.inputs.clone();
        let choices = inputs.iter_mut().filter(|input| closed::is_choice(program, &input.at));
        choices.enumerate().for_each(|(number, input)| input.value = i128::from(number == misused));
        Some(Test::new(program, &inputs))
    }

    /// The inputs from one source, in order.
    pub fn values(&self, source: Source) -> Vec<i128> {
        self.inputs.iter().filter(|input| input.at.source == source).map(|input| input.value).collect()
    }

    /// The bytes of memory that had no value until they were read, by their addresses.
    pub fn materialised(&self, program: &Program) -> Map<u64, u8> {
        let mut bytes: Map<u64, u8> = Map::default();
        for input in &self.inputs {
            let Source::Memory { address, .. } = input.at.source else { continue };
            for i in 0..u64::from(program.size_of(input.at.ty)) {
                let byte = (input.value >> (8 * i)) as u8;
                bytes.entry(address.wrapping_add(i)).or_insert(byte);
            }
        }
        bytes
    }
}

impl<'p> Executable<'p> {
    pub fn new(program: &'p Program, detail: Detail) -> Self {
        let width = Width::of(program);
        let code = match width {
            Width::Narrow => compile::<Concrete<'_, Narrow>>(program, detail),
            Width::Wide => compile::<Concrete<'_, Wide>>(program, detail),
            Width::Ideal => compile::<Concrete<'_, Ideal>>(program, detail),
        };
        Executable { program, code, width, check_regions: false }
    }

    /// Every run also checks that the regions of the program split its memory.
    pub fn checking_regions(mut self) -> Self {
        self.check_regions = true;
        self
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Runs the program from its entry.
    pub fn run(&self, oracle: &mut dyn InputOracle, limits: &Limits) -> Run {
        self.observe(oracle, limits, &mut NoObserver)
    }

    /// The same, under observation; of use if compiled for [`Detail::Edges`].
    pub fn observe(&self, oracle: &mut dyn InputOracle, limits: &Limits, observer: &mut dyn Observer) -> Run {
        match self.width {
            Width::Narrow => self.run_with::<Narrow>(oracle, limits, observer),
            Width::Wide => self.run_with::<Wide>(oracle, limits, observer),
            Width::Ideal => self.run_with::<Ideal>(oracle, limits, observer),
        }
    }

    fn run_with<N: Numbers>(
        &self,
        oracle: &mut dyn InputOracle,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Run {
        let mut values = Concrete::<N>::new(self.program, oracle);
        values.regions = self.check_regions.then(|| RegionCheck::new(self.program));
        let mut machine = Machine::new(self.program, &self.code, values);
        let mut outcome = machine.run(limits, observer);
        if let Outcome::ReachedError(site) = outcome
            && leak::is_leak(self.program, site)
            && !leak::is_lost(self.program, &machine)
        {
            outcome = Outcome::Returned(None);
        }
        let misused = leak::misused(self.program, &machine, outcome);
        let steps = machine.steps();
        let Concrete { inputs, regions, .. } = machine.values;
        let region_violations = regions.map(|check| check.violations).unwrap_or_default();
        Run { outcome, steps, inputs, region_violations, misused }
    }
}

/// The outcome of all runs of a program in which no input decides anything, but for the choice of the object that is
/// tracked: the first bad one, if there is any. [`Outcome::NoInput`] where an input decides something.
pub fn only_outcome(program: &Program, limits: &Limits) -> Outcome {
    fn run<N: Numbers>(program: &Program, code: &Code, limits: &Limits, choice: &Choice) -> Outcome {
        let mut oracle = closed::zero;
        let values = Closed::new(program, Concrete::<N>::new(program, &mut oracle), choice);
        Machine::new(program, code, values).run(limits, &mut NoObserver)
    }
    let executable = Executable::new(program, Detail::Outcome);
    let outcome = |choice: &Choice| match executable.width {
        Width::Narrow => run::<Narrow>(program, &executable.code, limits, choice),
        Width::Wide => run::<Wide>(program, &executable.code, limits, choice),
        Width::Ideal => run::<Ideal>(program, &executable.code, limits, choice),
    };
    let none = Choice { chosen: None, offered: Cell::new(0) };
    let mut last = outcome(&none);
    for number in 0..none.offered.get() {
        if !matches!(last, Outcome::Returned(_) | Outcome::Ended(_) | Outcome::AssumptionFailed(_)) {
            break;
        }
        last = outcome(&Choice { chosen: Some(number), offered: Cell::new(0) });
    }
    last
}

/// Runs the program with the inputs of a test, and looks whether its regions split memory.
pub fn replay(program: &Program, test: &Test, limits: &Limits) -> Run {
    let values = test.values();
    let executable = Executable::new(program, Detail::Outcome);
    let executable = if program.regions.len() > 1 { executable.checking_regions() } else { executable };
    executable.run(&mut ListOracle::new(&values), limits)
}
