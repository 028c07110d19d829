//! Against gcc, where it is installed: what it accepts is accepted, and the bytes of initialised objects are
//! the same for both data models. `CRAIG_CSMITH=n` sets how many random programs of Csmith are tried.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use craig_cfront::hir::Program;
use craig_cfront::preprocess::{Options, preprocess};
use craig_cfront::types::DataModel;
use craig_cfront::{read_texts, with_deep_stack};

const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

fn flag(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    }
}

fn run(command: &mut Command) -> Option<Vec<u8>> {
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("craig-gcc-{name}-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a temporary directory");
    directory
}

/// Names, sizes and bytes of the initialised objects in what gcc makes of the file; `None` if it rejects it.
fn objects(file: &Path, model: DataModel, directory: &Path) -> Option<Vec<(String, Vec<u8>)>> {
    let object = directory.join("out.o");
    let mut compile = Command::new("gcc");
    compile.args([flag(model), "-c", "-w", "-fno-common", "-fno-zero-initialized-in-bss", "-fno-pic"]);
    run(compile.arg(file).arg("-o").arg(&object))?;
    let listing = String::from_utf8(run(Command::new("nm").arg("-S").arg(&object))?).ok()?;
    let section = |name: &str| {
        let out = directory.join("section.bin");
        let mut copy = Command::new("objcopy");
        copy.args(["-O", "binary", "-j", name]).arg(&object).arg(&out);
        run(&mut copy).and_then(|_| fs::read(&out).ok()).unwrap_or_default()
    };
    let (data, constants) = (section(".data"), section(".rodata"));
    let mut found = Vec::new();
    for line in listing.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [address, size, kind, name] = words.as_slice() else { continue };
        let (Ok(address), Ok(size)) = (usize::from_str_radix(address, 16), usize::from_str_radix(size, 16))
        else {
            continue;
        };
        let bytes = match *kind {
            "D" | "d" => &data,
            "R" | "r" => &constants,
            _ => continue,
        };
        if let Some(bytes) = bytes.get(address..address + size) {
            found.push((name.to_string(), bytes.to_vec()));
        }
    }
    Some(found)
}

/// Checks the file as gcc sees it; returns how many objects were compared.
fn compare(file: &Path, model: DataModel, directory: &Path) -> Result<usize, String> {
    let options = Options { include_dirs: vec![csmith_headers()], ..Options::new(model) };
    let text = preprocess(file, &options).map_err(|error| format!("{}: {error}", file.display()))?;
    let preprocessed = directory.join("in.i");
    fs::write(&preprocessed, &text).map_err(|error| error.to_string())?;
    let Some(objects) = objects(&preprocessed, model, directory) else { return Ok(0) };
    let read = with_deep_stack(|| read_texts(vec![(file.display().to_string(), text)], model));
    let Some(program) = read.program else {
        return Err(format!("gcc accepts this:\n{}", read.diagnostics.render(&read.sources)));
    };
    program.validate()?;
    compare_objects(&program, &objects).map_err(|reason| format!("{} {model:?}: {reason}", file.display()))
}

fn compare_objects(program: &Program, objects: &[(String, Vec<u8>)]) -> Result<usize, String> {
    let mut compared = 0;
    for (name, expected) in objects {
        let mut candidates = program.globals.enumerated().filter(|(_, global)| global.name == *name);
        let (Some((id, _)), None) = (candidates.next(), candidates.next()) else { continue };
        let Some(image) = program.image(id) else { return Err(format!("`{name}` has no image")) };
        if image.len() < expected.len() {
            return Err(format!("`{name}` has {} bytes, not {}", image.len(), expected.len()));
        }
        let same = image.iter().zip(expected).all(|(ours, theirs)| ours.is_none_or(|ours| ours == *theirs));
        if !same {
            return Err(format!("`{name}` is {image:02x?}, not {expected:02x?}"));
        }
        compared += 1;
    }
    Ok(compared)
}

fn csmith_headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csmith")
}

#[test]
fn the_accepted_programs_mean_the_same_to_gcc() {
    if !installed("gcc") {
        return;
    }
    let directory = scratch("accept");
    let mut files: Vec<PathBuf> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accept"))
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in files {
        for model in MODELS {
            let text = fs::read_to_string(&file).expect("a program");
            if !text.contains("not for gcc") && objects(&file, model, &directory).is_none() {
                panic!("gcc rejects {} for {model:?}", file.display());
            }
            if let Err(reason) = compare(&file, model, &directory) {
                panic!("{}: {reason}", file.display());
            }
        }
    }
    let _ = fs::remove_dir_all(directory);
}

#[test]
fn random_programs_mean_the_same_to_gcc() {
    if !installed("gcc") || !installed("csmith") {
        return;
    }
    let count: u64 = std::env::var("CRAIG_CSMITH").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let directory = scratch("csmith");
    let file = directory.join("random.c");
    let mut compared = 0;
    for seed in 1..=count {
        let mut generate = Command::new("csmith");
        generate.args(["--seed", &seed.to_string(), "--output"]).arg(&file);
        if seed % 2 == 0 {
            generate.args(["--packed-struct", "--float"]);
        }
        run(&mut generate).expect("csmith generates a program");
        for model in MODELS {
            match compare(&file, model, &directory) {
                Ok(objects) => compared += objects,
                Err(reason) => panic!("seed {seed}, {model:?}: {reason}"),
            }
        }
    }
    println!("{compared} objects compared");
    assert!(compared > 0 || count == 0);
    let _ = fs::remove_dir_all(directory);
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// Records with members, bit-fields, alignments and packing of all kinds, with initialised objects.
fn random_records(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::new();
    let scalars =
        ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "long long"];
    for number in 0..60 {
        if random.below(4) == 0 {
            text += &format!("#pragma pack({})\n", ["", "1", "2", "4", "8"][random.below(5) as usize]);
        }
        let kind = if random.below(6) == 0 { "union" } else { "struct" };
        text += &format!("{kind} r{number} {{");
        let mut values = Vec::new();
        for field in 0..=random.below(6) {
            let pick = random.below(8) as usize;
            let ty = scalars[pick];
            let bits = [8, 8, 16, 16, 32, 32, 32, 64][pick];
            match random.below(10) {
                0 if number > 0 => {
                    let other = random.below(number);
                    text += &format!(" {} f{field};", record_name(&text, other));
                    values.push("{ 1 }".to_string());
                    continue;
                }
                1 => text += &format!(" {ty} f{field}[{}];", 1 + random.below(3)),
                2..=6 => {
                    let width = 1 + random.below(bits);
                    match random.below(12) {
                        0 => {
                            text += &format!(" {ty} : {width};");
                            continue;
                        }
                        1 => {
                            text += &format!(" {ty} : 0;");
                            continue;
                        }
                        2 => text += &format!(" {ty} f{field} : {width} __attribute__((packed));"),
                        3 => text += &format!(" {ty} f{field} : {width} __attribute__((aligned(8)));"),
                        _ => text += &format!(" {ty} f{field} : {width};"),
                    }
                }
                7 => text += &format!(" double f{field};"),
                8 => text += &format!(" {ty} f{field} __attribute__((aligned({})));", 1 << random.below(5)),
                _ => text += &format!(" {ty} f{field};"),
            }
            values.push(if random.below(2) == 0 {
                "-1".into()
            } else {
                format!("{}", random.below(1 << 30))
            });
        }
        let attributes = match random.below(8) {
            0 | 1 => " __attribute__((packed))",
            2 => " __attribute__((aligned(16)))",
            3 => " __attribute__((packed, aligned(2)))",
            _ => "",
        };
        if kind == "union" {
            values.truncate(1);
        }
        text += &format!(" }}{attributes};\n{kind} r{number} o{number} = {{ {} }};\n", values.join(", "));
        text += &format!("int s{number}[] = {{ sizeof o{number}, _Alignof({kind} r{number}) }};\n");
    }
    text
}

fn record_name(text: &str, number: u64) -> String {
    let is_union = text.contains(&format!("union r{number} {{"));
    format!("{} r{number}", if is_union { "union" } else { "struct" })
}

#[test]
fn random_records_are_laid_out_as_by_gcc() {
    if !installed("gcc") {
        return;
    }
    let directory = scratch("records");
    let file = directory.join("records.c");
    let count: u64 = std::env::var("CRAIG_RECORDS").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    for seed in 1..=count {
        fs::write(&file, random_records(seed)).expect("a file");
        for model in MODELS {
            match compare(&file, model, &directory) {
                Ok(objects) => assert!(objects > 50, "gcc rejects the records of seed {seed}"),
                Err(reason) => panic!("seed {seed}, {model:?}: {reason}\n{}", random_records(seed)),
            }
        }
    }
    let _ = fs::remove_dir_all(directory);
}
