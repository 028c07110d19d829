//! The forms in which results leave the tool. Each writer is a function from plain data to text;
//! none of them knows an engine.

pub mod json;
