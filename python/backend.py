"""maturin, with the program `craig` in the wheel beside the module.

maturin packs either a module or a program. So the program is built first, and put where maturin takes the wheel's
scripts from. CRAIG_BINARY names one that is there already, such as one that was built for another system.
"""

import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import *  # noqa: F403 (the other hooks are maturin's own)

HERE = Path(__file__).parent
SCRIPTS = HERE / "_craig.data" / "scripts"


def program():
    named = os.environ.get("CRAIG_BINARY")
    if named:
        return Path(named)
    root = HERE.parent
    subprocess.run(["cargo", "build", "--release", "--locked", "--bin", "craig"], cwd=root, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / "craig"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    copy = SCRIPTS / "craig"
    shutil.copy2(program(), copy)
    strip = shutil.which("strip")
    if strip:
        subprocess.run([strip, copy], check=True)
    try:
        return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    finally:
        shutil.rmtree(SCRIPTS.parent)
