//! `craig bench --slurm` and `craig check --project ... --slurm` on a Slurm of one node that the test starts. Where Slurm is not installed, or the test is not
//! run by root, it says so and passes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Daemons in a folder of their own.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn wait_until(what: &str, seconds: u64, mut holds: impl FnMut() -> bool) -> Result<(), String> {
    let start = Instant::now();
    while !holds() {
        if start.elapsed() > Duration::from_secs(seconds) {
            return Err(format!("{what}: not within {seconds} s"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

impl Cluster {
    /// Starts everything; an error says what is missing.
    fn start() -> Result<Cluster, String> {
        let user = Command::new("id").arg("-u").output().map_err(|error| error.to_string())?;
        if user.stdout.trim_ascii() != b"0" {
            return Err("only root can start it".to_string());
        }
        let folder = std::env::temp_dir().join(format!("craig-slurm-{}", std::process::id()));
        for part in ["state", "spool", "munge"] {
            fs::create_dir_all(folder.join(part)).map_err(|error| error.to_string())?;
        }
        let mut cluster = Cluster { folder, daemons: Vec::new() };
        cluster.configure().map_err(|error| error.to_string())?;
        let munge = cluster.folder.join("munge");
        let file = |option: &str, name: &str| format!("--{option}={}", munge.join(name).display());
        let arguments = [
            "--foreground".to_string(),
            "--force".to_string(),
            file("socket", "socket"),
            file("key-file", "key"),
            file("log-file", "log"),
            file("pid-file", "pid"),
            file("seed-file", "seed"),
        ];
        cluster.daemon("munged", &arguments)?;
        let socket = munge.join("socket");
        wait_until("munged", 10, || socket.exists())?;
        cluster.daemon("slurmctld", &["-D".to_string()])?;
        cluster.daemon("slurmd", &["-D".to_string()])?;
        wait_until("an idle node", 60, || cluster.says("sinfo", &["-h", "-o", "%T"]).contains("idle"))?;
        Ok(cluster)
    }

    fn configure(&self) -> std::io::Result<()> {
        let key: Vec<u8> = (0..1024u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        fs::write(self.folder.join("munge/key"), key)?;
        for (path, mode) in [("munge/key", 0o400), ("munge", 0o700)] {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            fs::set_permissions(self.folder.join(path), mode)?;
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
        let host = host.trim().split('.').next().unwrap_or_default();
        let (folder, port) = (self.folder.display(), 20_000 + std::process::id() % 20_000);
        let configuration = format!(
            "ClusterName=craig
             SlurmctldHost={host}(127.0.0.1)
             SlurmUser=root
             AuthType=auth/munge
             AuthInfo=socket={folder}/munge/socket
             ProctrackType=proctrack/linuxproc
             TaskPlugin=task/none
             SelectType=select/cons_tres
             SlurmctldPort={port}
             SlurmdPort={}
             StateSaveLocation={folder}/state
             SlurmdSpoolDir={folder}/spool
             SlurmctldPidFile={folder}/slurmctld.pid
             SlurmdPidFile={folder}/slurmd.pid
             SlurmctldLogFile={folder}/slurmctld.log
             SlurmdLogFile={folder}/slurmd.log
             AccountingStorageType=accounting_storage/none
             JobAcctGatherType=jobacct_gather/none
             MpiDefault=none
             SchedulerParameters=sched_min_interval=100000,bf_interval=1
             NodeName={host} NodeAddr=127.0.0.1 CPUs={} State=UNKNOWN
             PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            port + 1,
            std::thread::available_parallelism().map_or(1, |cores| cores.get()),
        );
        fs::write(self.folder.join("slurm.conf"), configuration)?;
        let version = if Path::new("/sys/fs/cgroup/cgroup.controllers").exists() { "v2" } else { "v1" };
        fs::write(self.folder.join("cgroup.conf"), format!("CgroupPlugin=cgroup/{version}\n"))
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command
    }

    fn daemon(&mut self, program: &str, arguments: &[String]) -> Result<(), String> {
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        self.daemons.push(child);
        Ok(())
    }

    fn says(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output();
        output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The answer of each row; a task that has two rows is a mistake.
fn answers(results: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(results.join("results.csv")).unwrap_or_default();
    let mut answers = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let before = answers.insert(fields[0].to_string(), fields[5].to_string());
        assert_eq!(before, None, "two rows: {line}");
    }
    answers
}

#[test]
fn campaigns_survive_the_death_of_their_submitter_and_of_a_job() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => {
            eprintln!("skipped: there is no Slurm here: {reason}");
            return;
        }
    };
    benchmark(&cluster);
    project(&cluster);
}

/// The submitter is killed, and a job takes its node's way out; in the end every run has one row, as in a run without a
/// cluster.
fn benchmark(cluster: &Cluster) {
    let folder = cluster.folder.join("campaign");
    fs::create_dir_all(&folder).expect("a folder");
    let mut manifest = "task\texpected\n".to_string();
    for task in 0..12 {
        let name = format!("{task}.smt2");
        fs::write(folder.join(&name), "(set-logic QF_LIA)\n(check-sat)\n").expect("a task");
        manifest += &format!("{name}\t{}\n", if task % 3 == 0 { "unsat" } else { "sat" });
    }
    fs::write(folder.join("manifest.tsv"), manifest).expect("a manifest");
    // The first one to see task 5 kills the tool that has started it, as the loss of a node would.
    let script = "task=$(basename $2 .smt2); echo $task >> $1/log; sleep 0.3
        if [ $task = 5 ] && [ ! -e $1/lost ]; then touch $1/lost; kill -9 $PPID; sleep 1; fi
        if [ $((task % 3)) = 0 ]; then echo unsat; else echo sat; fi\n";
    fs::write(folder.join("slow.sh"), script).expect("a script");
    let peer = format!("slow=sh {0}/slow.sh {0} {{file}}", folder.display());
    let bench = |results: &str, slurm: &[&str]| {
        let mut command = cluster.command(env!("CARGO_BIN_EXE_craig"));
        command.args(["bench", ".", "--peers-only", "--peer", &peer, "-o", results]).args(slurm);
        command.current_dir(&folder);
        command
    };
    let slurm = ["--slurm=--nice=0", "--slurm-jobs=4"];

    let mut submitter = bench("results", &slurm).spawn().expect("the program starts");
    let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
    wait_until("the first runs", 60, || log().lines().count() >= 2).expect("jobs run");
    submitter.kill().expect("a signal");
    submitter.wait().expect("an end");
    let output = bench("results", &slurm).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.starts_with("waiting for job "), "{said}");
    // The run that was killed, and the one that its job had left.
    assert!(said.contains("2 jobs are submitted"), "{said}");
    let log = log();
    for task in 0..12 {
        let runs = log.lines().filter(|line| *line == task.to_string()).count();
        assert_eq!(runs, if task == 5 { 2 } else { 1 }, "task {task}");
    }

    let here = bench("here", &[]).output().expect("the program starts");
    assert_eq!(here.status.code(), Some(0));
    assert_eq!(answers(&folder.join("results")), answers(&folder.join("here")));
    assert_eq!(answers(&folder.join("results")).len(), 12);
    assert!(!folder.join("results/jobs").exists());
}

/// The functions of the example project, without times.
fn functions(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = text.lines().skip_while(|line| !line.starts_with("function ")).skip(1);
    let rows = rows.take_while(|line| !line.contains(" functions: "));
    rows.map(|line| line.split_whitespace().take(6).collect::<Vec<_>>().join(" ")).collect()
}

/// A process in this folder with these words in its command line.
fn process_in(folder: &Path, words: [&str; 2]) -> Option<String> {
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        fs::read_link(entry.path().join("cwd")).ok().filter(|place| place == folder)?;
        let command = fs::read(entry.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let id = entry.file_name().to_string_lossy().into_owned();
        words.iter().all(|word| command.contains(word)).then_some(id)
    })
}

/// The same with the functions of a project.
fn project(cluster: &Cluster) {
    let folder = cluster.folder.join("project");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/project");
    let copied = Command::new("cp").arg("-r").arg(example).arg(&folder).status().expect("cp");
    assert!(copied.success());
    let check = |more: &[&str]| {
        let mut command = cluster.command(env!("CARGO_BIN_EXE_craig"));
        command.args(["check", "--project", "compile_commands.json", "--no-cache", "--timeout=60s"]);
        command.args(more).current_dir(&folder);
        command
    };
    let slurm = ["--slurm", "--slurm-jobs=1"];
    let mut submitter = check(&slurm).stdout(Stdio::null()).spawn().expect("the program starts");
    let mut job = None;
    wait_until("a job", 60, || {
        job = process_in(&folder, [" job ", "craig-slurm/jobs"]);
        job.is_some()
    })
    .expect("jobs run");
    submitter.kill().expect("a signal");
    submitter.wait().expect("an end");
    let killed = Command::new("kill").arg("-9").args(job).status().expect("kill");
    assert!(killed.success());

    let output = check(&slurm).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("jobs are submitted"), "{said}");
    let here = check(&[]).output().expect("the program starts");
    assert_eq!(functions(&output), functions(&here), "{said}");
    assert_eq!(functions(&output).len(), 4);
    assert_eq!((output.status.code(), here.status.code()), (Some(1), Some(1)));
    assert!(!folder.join("craig-slurm").exists());
}
