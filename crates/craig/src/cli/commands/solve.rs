//! `craig solve`: constrained Horn clauses.

use crate::check::CertificateKind;
use crate::cli::arguments::{Common, Limits};
use crate::cli::artifacts::{empty_folder, write_new};
use crate::cli::session::{Session, end_by};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::export;
use crate::solve::{self, SolveOptions, clause_engine, solve_named};
use craig_engines::horn::solve::HornEngine;
use craig_engines::portfolio::race::Member;
use craig_engines::portfolio::schedule;
use craig_engines::search::{bmc, duality, pdr};
use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Decide whether constrained Horn clauses have a model.
///
/// The first line of output is sat, unsat or unknown; after sat follows a model, after unsat a
/// derivation of false. Both were checked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The clauses, in the HORN logic of SMT-LIB; standard input if it is `-`.
    file: PathBuf,
    /// One engine instead of the portfolio (see `craig engines`).
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Who answers the engine's questions. Answers are checked by the native solver in any case.
    #[arg(long, value_enum, default_value_t = SolverName::Native)]
    solver: SolverName,
    /// Look at derivations up to this height only.
    #[arg(long, value_name = "HEIGHT")]
    bound: Option<usize>,
    /// For `sat`: write what the model rests on, each clause as a script that every solver must answer by `unsat`,
    /// and `run.sh`, which asks one. The folder is made, or is empty.
    #[arg(long, value_name = "DIR")]
    proof_smt: Option<PathBuf>,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    limits: Limits,
}

/// What can be turned on and off, to measure its effect.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Switches of the engines")]
struct Switches {
    /// duality: what narrows a goal after a resolution step.
    #[arg(long, value_enum, default_value_t = Decisions::Minterms)]
    decisions: Decisions,
    /// duality: how an annotation becomes a model.
    #[arg(long, value_enum, default_value_t = Convergence::Houdini)]
    convergence: Convergence,
    /// duality: undo every expansion one by one.
    #[arg(long)]
    no_back_jumping: bool,
    /// duality: try rules in their order, whether they were of use or not.
    #[arg(long)]
    no_relevance: bool,
    /// duality: learn interpolants as they come from proofs.
    #[arg(long)]
    no_generalisation: bool,
    /// duality: propagate lemmas only when a depth is done.
    #[arg(long)]
    no_eager_propagation: bool,
    /// duality: generalise by induction, as pdr does.
    #[arg(long)]
    inductive_generalisation: bool,
    /// duality: make interpolants that are no clauses from prime implicants of the prefix.
    #[arg(long)]
    sample_implicants: bool,
    /// duality: what is learned at a depth does not count at smaller ones.
    #[arg(long)]
    no_chain: bool,
    /// duality: derive every subgoal anew, as the paper does, even if it was derived before.
    #[arg(long)]
    no_facts: bool,
    /// pdr: learn from the literals of what cannot be derived, not from their sums.
    #[arg(long)]
    no_farkas: bool,
    /// pdr: keep obligations that were blocked for higher levels.
    #[arg(long)]
    preserve_goals: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The answer with its reason, and a model or derivation.
    Text,
    /// The conventions of CHC-COMP: the answer alone on its line, a model as a list of definitions,
    /// no derivation.
    ChcComp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolverName {
    Native,
    /// The `z3` in the search path.
    Z3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Decisions {
    None,
    Blocks,
    Minterms,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Convergence {
    Covering,
    Houdini,
    Predicates,
    /// An unwinding that grows node by node, and is covered so.
    Lawi,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let last_word = end_by(&arguments.limits, common.json, ExitStatus::Success, session);
    let options = SolveOptions {
        engines: members(arguments)?,
        workers: None,
        solver: match arguments.solver {
            SolverName::Native => solve::SolverName::Native,
            SolverName::Z3 => solve::SolverName::Z3,
        },
        limits: arguments.limits.of(session),
    };
    let name = arguments.file.display().to_string();
    let folder = arguments.proof_smt.as_deref();
    folder.map_or(Ok(()), empty_folder)?;
    let mut write = folder.map(|folder| |name: &str, text: &str| write_new(folder, name, text));
    let write = write.as_mut().map(|write| write as &mut export::Write<'_>);
    let report = solve_named(&name, &read(arguments)?, &options, write)?;
    last_word.take();
    if let Some(reason) = report.verdict.reason().filter(|reason| reason.is_defect()) {
        return Err(Error::Internal(reason.to_string()));
    }
    report.notes.iter().for_each(|note| session.note(note));
    if common.json {
        writeln!(session.out, "{}", report.json(&name))?;
    } else {
        match arguments.format {
            Format::Text => write!(session.out, "{}", report.text())?,
            Format::ChcComp => writeln!(session.out, "{}", report.verdict.word())?,
        }
        if let Some(certificate) = &report.certificate {
            match (arguments.format, certificate.kind) {
                (Format::Text, _) => write!(session.out, "{}", certificate.text)?,
                (Format::ChcComp, CertificateKind::Model) => {
                    write!(session.out, "(\n{})\n", certificate.text)?;
                }
                (Format::ChcComp, _) => {}
            }
        }
        session.detail(format!("engine: {}", report.engine));
        for (name, value) in report.stats.iter() {
            session.number(format!("  {name}: {value}"));
        }
    }
    // The first line is what counts, whatever it says.
    Ok(ExitStatus::Success)
}

/// Who was asked for, with their switches.
fn members(arguments: &Arguments) -> Result<Vec<Member<HornEngine>>, Error> {
    let mut members = match arguments.engine.as_deref() {
        None => schedule::clause_portfolio(),
        Some(name) => vec![clause_engine(name)?],
    };
    let switches = &arguments.switches;
    let bound = arguments.bound;
    for member in &mut members {
        member.engine = match &member.engine {
            engine @ (HornEngine::Cells
            | HornEngine::Houdini
            | HornEngine::Tpa
            | HornEngine::Resolution
            | HornEngine::Regular
            | HornEngine::Sizes) => engine.clone(),
            HornEngine::Bmc(_) => HornEngine::Bmc(bmc::Options { bound }),
            HornEngine::Pdr(_) => HornEngine::Pdr(pdr::Options {
                farkas: !switches.no_farkas,
                preserve_goals: switches.preserve_goals,
                bound,
            }),
            HornEngine::Duality(_) => HornEngine::Duality(duality::Options {
                decisions: match switches.decisions {
                    Decisions::None => duality::Decisions::None,
                    Decisions::Blocks => duality::Decisions::Blocks,
                    Decisions::Minterms => duality::Decisions::Minterms,
                },
                convergence: match switches.convergence {
                    Convergence::Covering => duality::Convergence::Covering,
                    Convergence::Houdini => duality::Convergence::Houdini,
                    Convergence::Predicates => duality::Convergence::Predicates,
                    Convergence::Lawi => duality::Convergence::Lawi,
                },
                back_jumping: !switches.no_back_jumping,
                relevance: !switches.no_relevance,
                generalisation: !switches.no_generalisation,
                eager_propagation: !switches.no_eager_propagation,
                inductive_generalisation: switches.inductive_generalisation,
                samples: switches.sample_implicants,
                chain: !switches.no_chain,
                facts: !switches.no_facts,
                bound,
            }),
        };
    }
    Ok(members)
}

fn read(arguments: &Arguments) -> Result<String, Error> {
    let missing = |error: io::Error| Error::MissingInput(arguments.file.clone(), error);
    if arguments.file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(missing)?;
        Ok(text)
    } else {
        fs::read_to_string(&arguments.file).map_err(missing)
    }
}
