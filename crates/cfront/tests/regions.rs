//! The claim about memory that comes with each program of `tests/lower` is accepted by the checker, with memory
//! split and in one piece; claims that say less than is true are not.

use craig_certificate::{RegionRejection, check_regions};
use craig_cfront::types::DataModel;
use craig_cfront::{load, load_texts, lower, preprocess};
use craig_program::{ClassId, Program, Provenance};
use std::sync::Arc;

#[test]
fn claims_hold() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("readable").path();
        for (model, one_region) in
            [(DataModel::Ilp32, false), (DataModel::Lp64, false), (DataModel::Lp64, true)]
        {
            let options = lower::Options { one_region, ..lower::Options::default() };
            let loaded = load(&[&path], &preprocess::Options::new(model), &options);
            let program = loaded.program.expect("valid C");
            let what = format!("{} {model:?} {one_region}", path.display());
            match check_regions(&program) {
                // It can be the address of anything, so that only one region will do.
                Err(RegionRejection(why)) if why.starts_with("an input or a calculated number") => {
                    assert!(!one_region, "{what}");
                }
                checked => assert_eq!(checked, Ok(()), "{what}"),
            }
            assert!(!one_region || program.regions.len() <= 1, "{}", path.display());
        }
    }
}

fn program(text: &str) -> Program {
    let texts = vec![("test.c".to_string(), text.as_bytes().to_vec())];
    load_texts(texts, DataModel::Lp64, &lower::Options::default()).program.expect("valid C")
}

/// Every claim in which one variable, one stored pointer or one object is moved elsewhere or points nowhere.
fn weakened(claim: &Provenance) -> Vec<(String, Provenance)> {
    let mut mutants = Vec::new();
    let mut mutate = |name: String, change: &dyn Fn(&mut Provenance)| {
        let mut mutant = claim.clone();
        change(&mut mutant);
        mutants.push((name, mutant));
    };
    // Of what points to no object, anything is true.
    let owned = |class: ClassId| claim.objects.iter().any(|object| object.class == class);
    let vars = claim.vars.enumerated().filter(|(_, target)| target.is_some_and(|to| owned(to.class)));
    for (var, _) in vars {
        mutate(format!("{var} points nowhere"), &|claim| claim.vars[var] = None);
        mutate(format!("{var} points 4 bytes further"), &|claim| {
            claim.vars[var].iter_mut().for_each(|target| target.offset += 4);
        });
    }
    for object in claim.objects.indices() {
        mutate(format!("{object} lies 4 bytes further"), &|claim| claim.objects[object].offset += 4);
        mutate(format!("{object} is alone"), &|claim| {
            claim.objects[object].class = claim.classes.push(Default::default());
        });
    }
    for (class, of_class) in claim.classes.enumerated().filter(|&(class, _)| owned(class)) {
        for part in 0..of_class.parts.len() {
            mutate(format!("part {part} of {class} is empty"), &|claim| {
                claim.classes[class].parts[part].content = None;
            });
            mutate(format!("part {part} of {class} is not there"), &|claim| {
                claim.classes[class].parts.remove(part);
            });
        }
        if of_class.stride > 0 {
            mutate(format!("{class} has no stride"), &|claim| claim.classes[class].stride = 0);
        }
    }
    mutants
}

/// The weakened claims that are accepted.
fn accepted(text: &str) -> Vec<String> {
    let original = program(text);
    assert_eq!(check_regions(&original), Ok(()));
    let accepts = |claim: Provenance| {
        check_regions(&Program { provenance: Arc::new(claim), ..original.clone() }).is_ok()
    };
    let mutants = weakened(&original.provenance).into_iter();
    mutants.filter_map(|(name, claim)| accepts(claim).then_some(name)).collect()
}

#[test]
fn claims_that_say_too_little_are_rejected() {
    // Through an integer, a struct in memory and a function. That no pointer is stored in `b.value` is true.
    let list = "struct node { struct node *next; int value; } a, b;
        int get(struct node *p) { return p->next->value; }
        int main(void) {
            long number = (long)&b;
            a.next = (struct node *)number;
            b.value = 3;
            return get(&a);
        }";
    assert_eq!(accepted(list), ["part 0 of k1 is empty"]);
    // The fields of an array's elements are told apart by their offsets modulo 8; `y` is set to a number only.
    let array = "struct pair { int x, y; } table[4];
        int pick(void);
        int main(void) {
            struct pair *p = &table[pick() & 3];
            p->y = 1;
            table[1].x = p->y;
            return table[pick() & 1].x;
        }";
    assert_eq!(accepted(array), ["part 1 of k1 is empty"]);
}

#[test]
fn what_can_be_any_address_splits_no_memory() {
    for body in [
        "unsigned long from = (unsigned long)&x, to = 0;
         for (int i = 0; i < 64; i++) if (from >> i & 1) to |= 1UL << i;
         *(int *)to = 5;",
        "int *p = &x, *q; extern long number(void); *p = 1; q = (int *)number(); *q = 5;",
        "char *null = 0; long number = (char *)&x - null; *(int *)number = 5;",
    ] {
        let split = program(&format!("int x, y; int main(void) {{ {body} return x + y; }}"));
        assert!(check_regions(&split).is_err(), "{body}");
    }
    // A distance from null is an address.
    let known = "int x, y; int main(void) { *(int *)((char *)&x - (char *)0) = 5; return x + y; }";
    assert_eq!(check_regions(&program(known)), Ok(()));
}

#[test]
fn a_missing_target_of_a_call_is_found() {
    let text = "int f(int x) { return x; } int g(int x) { return x + 1; }
        int (*table[2])(int) = { f, g };
        int main(int argc, char **argv) { return table[argc & 1](2); }";
    let original = program(text);
    assert_eq!(original.provenance.calls.len(), 1);
    assert_eq!(check_regions(&original), Ok(()));
    let mut mutant = original;
    let proc = mutant.provenance.calls[0].0;
    let edges = mutant.procs[proc].edges.indices();
    let comparisons: Vec<_> = edges
        .filter(|&edge| {
            let text = mutant.show_stmt(&mutant.procs[proc].edges[edge].stmt);
            text.contains("==")
        })
        .collect();
    for edge in comparisons {
        mutant.procs[proc].edges[edge].stmt = craig_program::Stmt::Skip;
    }
    assert!(check_regions(&mutant).is_err());
}

/// The one distance that is its own negative.
#[test]
fn half_of_the_address_space_is_a_distance() {
    let text = "extern char any(void); int main(void) { static int g[4]; int *p = g; *p = 1; char c = any();
        c += -9223372036854775807LL - 1; return c; }";
    assert_eq!(check_regions(&program(text)), Ok(()));
}

/// Who reads the warning wants to know which number it is about.
#[test]
fn rejections_name_the_guess_and_its_use() {
    let text = "long __VERIFIER_nondet_long(void);\nint x;\nint main(void) {\n  long guess = __VERIFIER_nondet_long();\n\
                \n  x = 1;\n  int *q = &x;\n  *q = 2;\n  return *(int *)guess;\n}\n";
    let Err(RegionRejection(why)) = check_regions(&program(text)) else { panic!("an input is an address") };
    assert_eq!(why, "an input or a calculated number at test.c:4 is used as an address at test.c:9");
}
