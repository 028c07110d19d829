//! Many tasks, this tool and others, one table.
//!
//! A *task* is a line of a manifest ([`manifest`]); a *participant* is this tool in one
//! configuration, or another command ([`participant`]). Every pair of them is one *run*: a process
//! with limits ([`process`]), whose output becomes an answer ([`extract`]), which becomes one row of a CSV
//! file that only ever grows ([`results`]). What reports need of the rows is in memory ([`table`]), beside what BenchExec
//! has measured ([`benchexec`]); figures, plots and the page are functions of that ([`summary`], [`plot`], [`page()`]).
//! The runs are made here or on a cluster ([`schedule`]).
//!
//! Invariants: a row is written when its run is over and never changed, so a stopped benchmark
//! loses at most the runs that were under way; a row is used again only if task, command and limits
//! are the same; runs of the same task follow each other, so that a change of the machine's mood
//! hits all participants alike; nothing that a run started survives it.

pub mod answer;
pub mod benchexec;
pub mod extract;
pub mod manifest;
mod page;
pub mod participant;
mod plot;
pub mod process;
mod process_tree;
pub mod results;
pub mod schedule;
pub mod summary;
pub mod table;

pub use page::page;
