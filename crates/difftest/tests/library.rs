//! The models of the C library and the system's library agree. `craig-difftest library CALLS` makes more calls.

use craig_difftest::{compiler, library};
use craig_program::DataModel;

#[test]
fn models_agree_with_the_systems_library() {
    let folder = std::env::temp_dir().join(format!("craig-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    if !compiler::is_available(DataModel::Lp64, &folder) {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let compared = library::comparisons();
    let differing = |(number, half): (usize, &[library::Comparison])| -> Vec<String> {
        let folder = folder.join(number.to_string());
        std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
        let differs = |comparison: &library::Comparison| {
            comparison.run(&folder, 40, 1).err().map(|what| format!("{}: {what}", comparison.names))
        };
        half.iter().filter_map(differs).collect()
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let halves = compared.chunks(compared.len().div_ceil(2)).enumerate();
        let threads: Vec<_> = halves
            .map(|half| {
                scope.spawn({
                    let differing = &differing;
                    move || differing(half)
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread ends")).collect()
    });
    let _ = std::fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), compared.len(), wrong.join("\n"));
}

#[test]
fn every_model_is_compared_or_named_with_a_reason() {
    let compared = library::functions();
    let excused: Vec<&str> =
        library::NOT_COMPARED.iter().flat_map(|(_, names)| names.split_whitespace()).collect();
    let models: Vec<String> = craig_cfront::library::models().into_iter().map(|(name, _)| name).collect();
    let has = |name: &str| compared.iter().any(|other| other == name);
    let missing: Vec<&String> =
        models.iter().filter(|name| !has(name) && !excused.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "neither compared nor excused: {missing:?}");
    let idle: Vec<&&str> =
        excused.iter().filter(|name| has(name) || !models.iter().any(|model| model == **name)).collect();
    assert!(idle.is_empty(), "excused for nothing: {idle:?}");
}
