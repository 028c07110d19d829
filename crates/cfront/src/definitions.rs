//! What a translation unit defines, and which names each definition mentions: enough to say which units of a
//! project a function needs, without checking types.

use std::collections::BTreeSet;

use crate::ast::{Attribute, Declarator, External, InitDeclarator, Specifiers, Storage};
use crate::contract;
use crate::lex::{self, Names, TokenKind};
use crate::parse::Parser;
use crate::source::{Location, Sources};

/// A function or an object that a unit defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub place: Location,
    pub is_function: bool,
    /// Whether other units see it.
    pub is_external: bool,
    /// Whether no other unit may define it as well.
    pub is_strong: bool,
    /// Whether its source states a contract.
    pub has_contract: bool,
    /// Whether it comes from a header of the system.
    pub is_system: bool,
    /// The names that stand in it, of whatever kind.
    pub mentions: BTreeSet<String>,
}

/// The definitions of a preprocessed text, in their order. What cannot be parsed is left out: whoever needs it will
/// be told.
pub fn definitions(path: &str, text: &[u8]) -> Vec<Definition> {
    crate::with_deep_stack(|| {
        let system = system_headers(text);
        let (text, with_contract) = contract::plain(path, text);
        let mut sources = Sources::new();
        let Some(unit) = sources.add(path, text) else { return Vec::new() };
        let mut names = Names::default();
        let (text, base) = (sources.text(unit), sources.base(unit));
        let Ok(tokens) = lex::tokenize(text, base, &mut names) else { return Vec::new() };
        let mut parser = Parser::new(text, base, &tokens, &names);
        let mut found = Vec::new();
        loop {
            let start = parser.position();
            let Some(external) = parser.next_external() else { break };
            let Ok(external) = external else { continue };
            let mut add = |defined: Defined| {
                let Some((symbol, span)) = defined.declarator.name else { return };
                let name = names.get(symbol).to_string();
                let place = sources.locate(span);
                let tokens = tokens.tokens[start..parser.position()].iter();
                let mentions = tokens.filter_map(|token| match token.kind {
                    TokenKind::Name(mentioned) if mentioned != symbol => {
                        Some(names.get(mentioned).to_string())
                    }
                    _ => None,
                });
                found.push(Definition {
                    is_function: defined.is_function,
                    is_external: defined.is_external,
                    is_strong: defined.is_strong,
                    has_contract: with_contract.contains(&name),
                    is_system: system.contains(&place.file),
                    mentions: mentions.collect(),
                    name,
                    place,
                });
            };
            match &external {
                External::Function(function) => {
                    add(Defined::function(&function.specifiers, &function.declarator));
                }
                External::Declaration(declaration) => {
                    let specifiers = &declaration.specifiers;
                    declaration
                        .declarators
                        .iter()
                        .filter_map(|d| Defined::object(specifiers, d))
                        .for_each(&mut add);
                }
                External::StaticAssert(_) | External::Asm(_) => {}
            }
        }
        found
    })
}

struct Defined<'a> {
    declarator: &'a Declarator,
    is_function: bool,
    is_external: bool,
    is_strong: bool,
}

impl<'a> Defined<'a> {
    fn function(specifiers: &Specifiers, declarator: &'a Declarator) -> Self {
        // What is inline is there for its own unit only.
        let is_external = specifiers.storage != Some(Storage::Static) && !specifiers.inline;
        let weak = is_weak(&specifiers.attributes) || is_weak(&declarator.attributes);
        Defined { declarator, is_function: true, is_external, is_strong: is_external && !weak }
    }

    /// Nothing if this only declares something.
    fn object(specifiers: &Specifiers, declared: &'a InitDeclarator) -> Option<Self> {
        let declarator = &declared.declarator;
        let has_value = declared.init.is_some();
        let declares = match specifiers.storage {
            Some(Storage::Typedef) => true,
            Some(Storage::Extern) => !has_value,
            _ => declarator.is_function(),
        };
        if declares {
            return None;
        }
        let is_external = specifiers.storage != Some(Storage::Static);
        let weak = is_weak(&specifiers.attributes) || is_weak(&declared.attributes);
        // Several units may have an object without a value, which is one and the same.
        Some(Defined {
            declarator,
            is_function: false,
            is_external,
            is_strong: is_external && has_value && !weak,
        })
    }
}

fn is_weak(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| matches!(attribute, Attribute::Weak))
}

/// The files that are entered as headers of the system: `# 1 "/usr/include/stdio.h" 1 3 4`. A 3 alone may stand at the
/// use of a macro from there.
fn system_headers(text: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"# ")) {
        let line = String::from_utf8_lossy(line);
        let mut parts = line.split('"');
        if let (Some(_), Some(file), Some(flags)) = (parts.next(), parts.next(), parts.next())
            && flags.split_whitespace().take(2).eq(["1", "3"])
        {
            found.insert(file.to_string());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_and_what_they_mention() {
        let text = "# 1 \"a.h\" 1 3\nstatic inline int h(int x) { return x; }\n# 1 \"a.c\" 2\n# 1 \"a.c\" 3\n\
            extern int e; int t; int v = 3; int f(int); typedef int T;\n\
            /*@ requires n > 0; */\nint g(int n) { return f(n) + e; }\n\
            static int (*table[])(int) = { g };\nbroken broken broken;\nint __attribute__((weak)) w(void) { return t; }\n";
        let shown: Vec<String> = definitions("a.i", text.as_bytes())
            .iter()
            .map(|d| {
                let flags = [
                    (d.is_function, 'f'),
                    (d.is_external, 'e'),
                    (d.is_strong, 's'),
                    (d.has_contract, 'c'),
                    (d.is_system, 'h'),
                ];
                let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, letter)| *letter).collect();
                let mentions: Vec<&str> = d.mentions.iter().map(String::as_str).collect();
                format!("{}:{} {} {flags} {}", d.place.file, d.place.line, d.name, mentions.join(","))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a.h:1 h fh x",
                "a.c:1 t e ",
                "a.c:1 v es ",
                "a.c:3 g fesc e,f,n",
                "a.c:4 table  g",
                "a.c:6 w fe t,weak"
            ]
        );
    }
}
