fn main() -> std::process::ExitCode {
    craig::run(std::env::args_os().collect())
}
