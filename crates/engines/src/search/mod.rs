//! The algorithms, one module each.
//!
//! | paper | modules |
//! |---|---|
//! | 000, *Lazy Annotation for Program Testing and Verification* | [`lazy_annotation`] |
//! | 001, *Software Verification with Program-Graph Interpolation and Abstraction* | [`ufo`], [`vinta`], [`whale`], and [`impact`] to compare with |
//! | 002, *Lazy Annotation Revisited* | [`duality`], and [`bmc`] and [`pdr`] to compare with |
//! | 003, *SYNERGY* | [`synergy`], with what it shares with the next in [`yogi`] |
//! | 004, *Proofs from Tests* | [`dash`] |
//!
//! Beside them: [`bits`] unwinds, [`induction`] does so from any state, [`data`] is about clauses over data types, [`houdini`]
//! guesses, [`templates`] does so for clauses, [`frames`] does so where the rest is one formula, [`acceleration`] takes many
//! rounds of a loop at once, [`tpa`] many steps of clauses, [`random`] runs, [`exploration`] runs on from what was new,
//! [`partitioning`] follows boxes between the numbers that a program compares with.

pub mod acceleration;
pub mod bits;
pub mod bmc;
pub mod dash;
pub mod data;
pub mod duality;
pub mod exploration;
pub mod frames;
pub mod houdini;
pub mod impact;
pub mod induction;
mod inductive;
pub mod lazy_annotation;
pub mod partitioning;
pub mod pdr;
pub mod random;
pub mod synergy;
pub mod templates;
pub mod tpa;
pub mod ufo;
pub mod vinta;
pub mod whale;
pub mod yogi;
