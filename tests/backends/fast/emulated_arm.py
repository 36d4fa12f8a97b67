"""Run tests as on a 64-bit ARM processor, emulated by QEMU: ``make arm``.

The package runs there in Debian's own Python, with the wheels of Numba and the others for ARM, so that LLVM compiles the kernels
for NEON. Everything is downloaded into one folder, and nothing is installed. It takes an hour, most of it to compile.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "build/arm"
QEMU = "qemu-aarch64-static"
PROCESSOR = "cortex-a72"
"""That of a Raspberry Pi 4: the instructions that every 64-bit ARM has."""
TOOLS = {QEMU: "qemu-user-static", "apt-get": "apt", "dpkg-deb": "dpkg"}
"""The commands that are needed, and Debian's packages of them."""
WHEELS = ("hypothesis", "numba", "numpy", "ortools", "pytest", "pytest-timeout", "python-sat", "rich", "typer")
PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64")
TESTS = ("tests/backends/fast", "tests/generate/test_vector_widths.py")


def main() -> None:
    """Prepare the folder where it is not there yet, and run the tests, or those that the command line names."""
    if missing := [package for command, package in TOOLS.items() if not shutil.which(command)]:
        sys.exit(f"skipped: this needs a Debian with {', '.join(missing)}")
    python = FOLDER / "python"
    if not python.exists():
        root = unpack_python()
        install_wheels(root)
        write_wrapper(python, root)
    # No plug-in of notebooks there, and more time for all: emulation is slow.
    settings = ("addopts=", "timeout=3600", "faulthandler_timeout=4000")
    options = [*(f"-o{one}" for one in settings), "--import-mode=importlib", "--hypothesis-profile=emulated"]
    tests = sys.argv[1:] or TESTS
    command = [python, "-m", "pytest", "-v", "-p", "no:cacheprovider", *options, "-m", "not slow", *tests]
    sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)


def unpack_python() -> Path:
    """Unpack Debian's Python for ARM and the libraries that it needs, without telling the system of them; return where."""
    root, state, cache = (FOLDER / name for name in ("root", "state", "cache"))
    for folder in (root, state / "lists/partial", cache / "archives/partial"):
        folder.mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    apart = {
        "APT::Architecture": "arm64",
        "APT::Architectures::": "arm64",
        "Dir::State::lists": state / "lists",
        "Dir::State::status": state / "status",
        "Dir::Cache": cache,
        "Debug::NoLocking": 1,
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in apart.items())]
    subprocess.run([*apt, "update"], check=True)
    wanted = ["--download-only", "--no-install-recommends", "--yes", "install", "python3", "libstdc++6"]
    subprocess.run([*apt, *wanted], check=True)
    for package in cache.glob("archives/*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    return root


def install_wheels(root: Path) -> None:
    """Install the wheels for that Python beside it."""
    (library,) = root.glob("usr/lib/python3.*/os.py")
    version = library.parent.name.removeprefix("python")
    target = ["--target", FOLDER / "site", "--only-binary=:all:", "--python-version", version]
    platforms = [option for platform in PLATFORMS for option in ("--platform", platform)]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", ROOT / "constraints.txt", *target, *platforms, *WHEELS], check=True)


def write_wrapper(python: Path, root: Path) -> None:
    """Write a command that is Python under emulation, also for the children that it starts by its own name."""
    lines = (
        "#!/bin/sh",
        f"export PYTHONHOME='{root}/usr' PYTHONPATH='{ROOT}:{FOLDER}/site' XDG_CACHE_HOME='{FOLDER}/home'",
        f"exec {QEMU} -cpu {PROCESSOR} -L '{root}' -0 '{python}' '{root}/usr/bin/python3' \"$@\"",
    )
    python.write_text("\n".join(lines) + "\n", encoding="utf-8")
    python.chmod(0o755)


if __name__ == "__main__":
    main()
