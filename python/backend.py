"""maturin, with the program `craig` in the wheel beside the module.

maturin packs either a module or a program. So the program is built first, with the same features, and added to the wheel
that maturin has made. CRAIG_BINARY names one that is there already. CRAIG_ZIG builds both for manylinux2014, with the linker
of Zig.
"""

import os
import subprocess
import tempfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import maturin
from maturin import *  # noqa: F403 (the other hooks are maturin's own)

HERE = Path(__file__).parent
ZIG = ["--zig", "--compatibility", "manylinux2014"]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    zig = bool(os.environ.get("CRAIG_ZIG"))
    ready = os.environ.get("CRAIG_BINARY")
    program = Path(ready) if ready else build_program(zig)
    arguments = [os.environ.get("MATURIN_PEP517_ARGS", "")]
    arguments += [] if ready else ["--features", "program"]
    arguments += ZIG if zig else []
    os.environ["MATURIN_PEP517_ARGS"] = " ".join(arguments)
    name = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    add_script(Path(wheel_directory) / name, "craig", stripped(program))
    return name


def build_program(zig):
    """Builds the program, and says where it is."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))
    build = ["cargo", "build", "--release", "--locked", "--features", "program", "--bin", "craig"]
    if zig:
        build[1:2] = ["zigbuild", "--target", "x86_64-unknown-linux-gnu.2.17"]
        target = target / "x86_64-unknown-linux-gnu"
    subprocess.run(build, cwd=HERE, check=True)
    return target / "release" / "craig"


def stripped(program):
    """The program without its symbols, where there is a `strip`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / program.name
        copy.write_bytes(program.read_bytes())
        try:
            subprocess.run(["strip", str(copy)], check=True)
        except OSError:
            pass
        return copy.read_bytes()


def add_script(wheel, name, content):
    """A file that `pip` puts beside the interpreter, entered in the wheel's list of files."""
    distribution = "-".join(wheel.name.split("-")[:2])
    record = f"{distribution}.dist-info/RECORD"
    script = f"{distribution}.data/scripts/{name}"
    digest = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
    with ZipFile(wheel) as old:
        files = [(info, old.read(info)) for info in old.infolist()]
    with ZipFile(wheel, "w", ZIP_DEFLATED) as new:
        entry = ZipInfo(script)
        entry.compress_type = ZIP_DEFLATED
        entry.external_attr = 0o100755 << 16
        new.writestr(entry, content)
        for info, data in files:
            if info.filename == record:
                data = f"{script},sha256={digest},{len(content)}\n".encode() + data
            new.writestr(info, data)
