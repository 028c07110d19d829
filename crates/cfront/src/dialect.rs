//! What functions of other tools' harnesses mean: one table for lowering, order of evaluation and harnesses.

use craig_program::BinaryOp;

/// What contracts that do not say what they assign do.
pub const EVERYTHING: &str = "__VERIFIER_craig_everything";

/// The meaning of a function that is called and not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The run goes on only where the first argument holds.
    Assume,
    /// The first argument must hold; another one says so in words.
    Assert,
    /// The error.
    Fail,
    /// The run ends.
    Stop,
    /// Any value of the result's type.
    Any,
    /// What the first argument points to gets any contents.
    AnyContents,
    /// So do all objects with static storage duration, and what can be reached from there and the arguments.
    Everything,
    /// Whether an operation on the arguments leaves their common type.
    Overflows(BinaryOp),
    /// Whether all bytes of the object that the argument points to are zero.
    Zeroed,
    /// Something about the object that a pointer points into.
    Object(About),
    /// Whether bytes from one pointer on, and from another one, have none in common.
    Separated,
    /// A new automatic object.
    New,
    /// Nothing that matters to one sequential run.
    Nothing,
    /// Not modelled, and why.
    Refused(&'static str),
}

/// What is asked about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A number of its own.
    Number,
    /// How far the pointer is from its start.
    Offset,
    /// Whether two pointers point into the same one.
    Same,
    /// Whether the second of three pointers is between the others, all into the same one.
    Range,
    Size,
    /// Whether so many bytes can be accessed there.
    Accessible,
    /// Whether it exists.
    Live,
    /// Whether it exists and is not constant.
    Writeable,
    /// Whether an allocation made it, be it freed or not.
    Allocated,
    /// Whether `free` takes the pointer.
    Freeable,
}

impl About {
    /// Whether the answer must be noted for each object: its address alone does not tell.
    pub fn is_of_extents(self) -> bool {
        use About::*;
        matches!(self, Size | Accessible | Live | Writeable | Allocated | Freeable)
    }
}

/// The dialect of a name; `None` for names of no dialect.
pub fn dialect(name: &str) -> Option<Dialect> {
    use Dialect::*;
    Some(match name {
        "__VERIFIER_assume"
        | "__VERIFIER_craig_assume"
        | "__CPROVER_assume"
        | "__ESBMC_assume"
        | "klee_assume" => Assume,
        "assert"
        | "__VERIFIER_assert"
        | "__VERIFIER_craig_assert"
        | "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "__ESBMC_assert"
        | "klee_assert" => Assert,
        "__ESBMC_unreachable" | "klee_abort" | "klee_report_error" | "klee_assert_fail" => Fail,
        "klee_silent_exit" => Stop,
        "klee_make_symbolic" | "__CPROVER_havoc_object" | "__ESBMC_init_object" => AnyContents,
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "__CPROVER_atomic_begin"
        | "__CPROVER_atomic_end"
        | "__ESBMC_atomic_begin"
        | "__ESBMC_atomic_end"
        | "__CPROVER_cover"
        | "__ESBMC_cover"
        | "__CPROVER_input"
        | "__CPROVER_output"
        | "__CPROVER_printf"
        | "__CPROVER_hide"
        | "__ESBMC_HIDE"
        | "__ESBMC_yield"
        | "klee_prefer_cex"
        | "klee_warning"
        | "klee_warning_once"
        | "klee_print_expr"
        | "klee_open_merge"
        | "klee_close_merge"
        | "klee_posix_prefer_cex"
        | "klee_print_range"
        | "klee_mark_global"
        | "klee_set_forking"
        | "klee_stack_trace"
        | "printk" => Nothing,
        "klee_int" => Any,
        "__CPROVER_overflow_plus" => Overflows(BinaryOp::Add),
        "__CPROVER_overflow_minus" | "__CPROVER_overflow_unary_minus" => Overflows(BinaryOp::Sub),
        "__CPROVER_overflow_mult" => Overflows(BinaryOp::Mul),
        EVERYTHING => Everything,
        "__VERIFIER_craig_zeroed" => Zeroed,
        "__VERIFIER_craig_new" => New,
        "__CPROVER_POINTER_OBJECT" | "__ESBMC_POINTER_OBJECT" => Object(About::Number),
        "__CPROVER_POINTER_OFFSET" | "__ESBMC_POINTER_OFFSET" => Object(About::Offset),
        "__CPROVER_same_object" | "__ESBMC_same_object" => Object(About::Same),
        "__CPROVER_pointer_in_range" | "__CPROVER_pointer_in_range_dfcc" => Object(About::Range),
        "__CPROVER_OBJECT_SIZE" | "__ESBMC_get_object_size" | "klee_get_obj_size" => Object(About::Size),
        _ if crate::contract::is_access(name) => Object(About::Accessible),
        "__CPROVER_LIVE_OBJECT" => Object(About::Live),
        "__CPROVER_WRITEABLE_OBJECT" => Object(About::Writeable),
        "__CPROVER_DYNAMIC_OBJECT" => Object(About::Allocated),
        "__CPROVER_is_freeable" => Object(About::Freeable),
        "__VERIFIER_craig_separated" => Separated,
        "__CPROVER_is_fresh" => {
            Refused("this can be a condition of its own in an assertion or contract, and nothing else")
        }
        "__VERIFIER_craig_not_understood" => {
            Refused("quantifiers are understood for ranges between two values")
        }
        "__CPROVER_is_list"
        | "__CPROVER_is_cyclic_dll"
        | "__CPROVER_is_dll"
        | "__CPROVER_is_sentinel_dll"
        | "__CPROVER_buffer_size"
        | "__CPROVER_zero_string_length"
        | "__CPROVER_is_zero_string"
        | "__CPROVER_was_freed"
        | "__CPROVER_set_must"
        | "__CPROVER_get_must"
        | "__CPROVER_get_may"
        | "__CPROVER_set_may"
        | "__CPROVER_scope" => Refused("it is not modelled"),
        _ if name.starts_with("nondet_")
            || name.starts_with("__VERIFIER_nondet_")
            || name.starts_with("__ESBMC_nondet_") =>
        {
            Any
        }
        _ => return None,
    })
}
