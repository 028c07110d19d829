fn main() {
    let seed: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(0);
    let features = craig_difftest::generate::Features { signed_left_shift: true, floats: true };
    print!("{}", craig_difftest::generate::program(seed, features));
}
