//! `__CPROVER_uninterpreted_F`: a function of which nothing is known but that equal arguments give equal results. It gets
//! a body that remembers the first few calls; the results of others are any values.

use std::fmt::Write;

use super::annotate::PRELUDE;
use super::replace::{declaration, definition};
use super::scan::{Kind, scan};
use crate::Text;

const PREFIX: &str = "__CPROVER_uninterpreted_";
/// So many calls are remembered.
const REMEMBERED: usize = 4;

/// Gives bodies to those that the units declare and do not define.
pub fn define(units: &mut [Text]) {
    let mut done: Vec<String> = Vec::new();
    for unit in 0..units.len() {
        let Ok(text) = std::str::from_utf8(&units[unit].1) else { continue };
        if !text.contains(PREFIX) {
            continue;
        }
        let mut added = String::new();
        for token in scan(text, 0, text.len()) {
            let name = token.text;
            if token.kind != Kind::Name || !name.starts_with(PREFIX) || done.iter().any(|known| known == name)
            {
                continue;
            }
            let is_defined = units.iter().any(|(_, text)| {
                std::str::from_utf8(text).is_ok_and(|text| definition(text, name).is_some())
            });
            // Records cannot be compared.
            let is_scalar = |parameter: &str| parameter.contains('*') || !parameter.contains("struct");
            let declared = declaration(text, name)
                .filter(|(_, parameters)| !is_defined && parameters.split(',').all(is_scalar));
            if let Some((result, parameters)) = declared {
                let (parameters, names) = named(&parameters);
                added.push_str(&body(name, &result, &parameters, &names));
                done.push(name.to_string());
            }
        }
        if !added.is_empty() {
            units[unit].1.extend(format!("\n# 1 \"<uninterpreted>\"\n{PRELUDE}{added}").into_bytes());
        }
    }
}

/// The parameters, each with a name.
fn named(parameters: &str) -> (String, Vec<String>) {
    const WORDS: &[&str] = &[
        "const", "volatile", "unsigned", "signed", "char", "short", "int", "long", "float", "double",
        "_Bool", "struct", "union", "enum",
    ];
    let (mut all, mut names) = (Vec::new(), Vec::new());
    for (number, parameter) in parameters.split(',').enumerate() {
        let tokens = scan(parameter, 0, parameter.len());
        let types =
            tokens.iter().filter(|token| token.kind == Kind::Name && !WORDS.contains(&token.text)).count();
        let built_in = tokens.iter().any(|token| WORDS[2..11].contains(&token.text));
        let is_tag = |at: usize| at > 0 && matches!(tokens[at - 1].text, "struct" | "union" | "enum");
        let has_name = tokens.last().is_some_and(|last| {
            let is_word = last.kind == Kind::Name && !WORDS.contains(&last.text) && !is_tag(tokens.len() - 1);
            is_word && (types > 1 || built_in)
        });
        let name = match tokens.last() {
            Some(last) if has_name => last.text.to_string(),
            _ => format!("craig_argument_{number}"),
        };
        all.push(if has_name { parameter.to_string() } else { format!("{parameter} {name}") });
        names.push(name);
    }
    (all.join(","), names)
}

fn body(name: &str, result: &str, parameters: &str, names: &[String]) -> String {
    let any = format!("__VERIFIER_nondet_craig_{}", &name[PREFIX.len()..]);
    let mut out = format!("extern {result} {any}(void);\n{result} {name}({parameters}) {{\n");
    for call in 0..REMEMBERED {
        let _ = writeln!(out, "static _Bool craig_known_{call}; static {result} craig_result_{call};");
        for parameter in names {
            // A value has the type of its variable, but is not `const`.
            let _ = writeln!(out, "static __typeof__({parameter} + 0) craig_{parameter}_{call};");
        }
    }
    let all = |call: usize, joint: &str, what: &dyn Fn(&String) -> String| {
        names.iter().map(what).collect::<Vec<_>>().join(joint).replace('#', &call.to_string())
    };
    for call in 0..REMEMBERED {
        let same = all(call, " && ", &|name| format!("craig_{name}_# == {name}"));
        let _ = writeln!(out, "if (craig_known_{call} && {same}) return craig_result_{call};");
    }
    let _ = writeln!(out, "{result} craig_result = {any}();");
    for call in 0..REMEMBERED {
        let kept = all(call, " ", &|name| format!("craig_{name}_# = {name};"));
        let otherwise = if call == 0 { "" } else { "else " };
        let _ = writeln!(
            out,
            "{otherwise}if (!craig_known_{call}) {{ craig_known_{call} = 1; {kept} craig_result_{call} = craig_result; }}"
        );
    }
    out.push_str("return craig_result;\n}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn parameters_get_names() {
        let shown = |parameters| {
            let (text, names) = named(parameters);
            format!("{text} | {}", names.join(" "))
        };
        assert_eq!(shown("const void *p, size_t n, int x"), "const void *p, size_t n, int x | p n x");
        assert_eq!(
            shown("const void *, uint8_t, unsigned int, struct s *"),
            "const void * craig_argument_0, uint8_t craig_argument_1, unsigned int craig_argument_2, struct s * \
             craig_argument_3 | craig_argument_0 craig_argument_1 craig_argument_2 craig_argument_3"
        );
    }
}
