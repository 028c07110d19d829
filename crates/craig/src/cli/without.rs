//! Parts of algorithms that can be left out, each by itself, so that what they give can be measured. Those that a paper
//! does not have are among them.

use craig_engines::Engine;
use craig_engines::search::lazy_annotation;
use craig_program::Decisions;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// `lazy-annotation`: all ways between a branch and the join right after it are one step.
    Merging,
    /// `lazy-annotation`: preconditions by substitution where a step only copies and resets.
    Substitution,
    /// `lazy-annotation`: strengthening under an invariant by predicate abstraction.
    Predicates,
    /// `lazy-annotation`: strengthening by backward abstract interpretation.
    Backward,
    /// `lazy-annotation`: loops that are bounded statically are executed to their end.
    BoundedLoops,
    /// `lazy-annotation`, `synergy`, `dash`: conditions in a row, as of a `switch`, are one decision (for the last two if they are
    /// about the same variables).
    Decisions,
    /// `synergy`, `dash`: predicates that tests suggest, at a point that was split often.
    Generalisation,
    /// `dash`: one question for all regions after a step that lead to the error.
    Joining,
    /// `dash`: conditions of a branch that no test needs are left out of predicates.
    Weakening,
    /// `dash`: all regions are rebuilt when tests have reached too many that were split off.
    Restarts,
    /// `dash`: only the aliasing that the test met; all cases without it.
    Aliasing,
    /// `ufo`, `vinta`: labels become lemmas when refinement goes in circles.
    Lemmas,
}

impl Part {
    /// Leaves the part out; false if the engine does not have it.
    pub fn leave_out(self, engine: &mut Engine) -> bool {
        match (self, engine) {
            (part, Engine::LazyAnnotation(config)) => return part.leave_out_of_annotation(config),
            (Part::Decisions, Engine::Synergy(config) | Engine::LeeYannakakis(config)) => {
                config.decisions = Decisions::Single;
            }
            (Part::Decisions, Engine::Dash(config)) => config.decisions = Decisions::Single,
            (Part::Generalisation, Engine::Synergy(config) | Engine::LeeYannakakis(config)) => {
                config.patience = None;
            }
            (Part::Generalisation, Engine::Dash(config)) => config.patience = None,
            (Part::Joining, Engine::Dash(config)) => config.join_targets = false,
            (Part::Weakening, Engine::Dash(config)) => config.weaken = false,
            (Part::Restarts, Engine::Dash(config)) => config.restarts = false,
            (Part::Aliasing, Engine::Dash(config)) => config.aliasing = false,
            (Part::Lemmas, Engine::Ufo(config)) => config.lemmas = false,
            (Part::Lemmas, Engine::Vinta(config)) => config.lemmas = false,
            _ => return false,
        }
        true
    }

    /// The same for the search of lazy annotation.
    pub fn leave_out_of_annotation(self, config: &mut lazy_annotation::Config) -> bool {
        match self {
            Part::Merging => config.merge = false,
            Part::Decisions => config.decisions = Decisions::Single,
            Part::Substitution => config.substitute = false,
            Part::Predicates => config.predicates = false,
            Part::Backward => config.backward = false,
            Part::BoundedLoops => config.bounded_loops = false,
            _ => return false,
        }
        true
    }
}
