fn main() -> std::process::ExitCode {
    craig::cli::run(std::env::args_os().collect())
}
