"""Freezes the program with PyInstaller and lets it show that it works, with an empty home and no Python around it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOLDER = ROOT / "dist" / PROJECT["name"]
PROGRAM = FOLDER / (PROJECT["name"] + (".exe" if os.name == "nt" else ""))
DEMO_SECONDS = 300


class BuildError(Exception):
    """The frozen program does not do what the one from source does."""


def freeze() -> None:
    """Run PyInstaller on the spec; its own words show only when it fails."""
    print("Freezing the program (a minute or two)", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    command += ["--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build" / "freeze")]
    command.append(str(ROOT / "packaging" / "desktop_rag.spec"))
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BuildError("PyInstaller failed:\n" + (result.stdout + result.stderr)[-4000:])


def bare_environment(home: Path) -> dict[str, str]:
    """Return the environment of a person who has just unpacked the program and has no Python."""
    kept = ("LANG", "SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "COMSPEC", "NUMBER_OF_PROCESSORS")
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    bare["PATH"] = os.defpath
    bare["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        bare[name] = str(home)
    return bare


def start(arguments: list[str], environment: Mapping[str, str], folder: Path) -> str:
    """Run the frozen program and return what it printed; raise `BuildError` unless it ends well and in time."""
    try:
        result = subprocess.run(
            [str(PROGRAM), *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=DEMO_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BuildError(f"{' '.join(arguments)} did not end in {DEMO_SECONDS} s") from error
    if result.returncode != 0:
        raise BuildError(f"{' '.join(arguments)} ended with {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout


def check_version(environment: Mapping[str, str], folder: Path) -> None:
    """Make sure that the frozen program is the version that was meant."""
    printed = start(["--version"], environment, folder)
    if PROJECT["version"] not in printed:
        raise BuildError(f"--version printed {printed.strip()!r}, not {PROJECT['version']}")


def check_demonstration(environment: Mapping[str, str], folder: Path) -> None:
    """Make sure that the sample is indexed, the question answered with a citation, and the window drawn."""
    printed = start(["--demo"], environment, folder)
    print(printed, flush=True)
    if not re.search(r"\[\d+\]", printed):
        raise BuildError("the demonstration ended without a cited answer")
    pictures = [Path(name) for name in re.findall(r"\S*[/\\]\S+\.png", printed)]
    if not any((folder / picture).is_file() for picture in pictures):
        raise BuildError("the demonstration ended without a picture of the window")


def size(folder: Path) -> int:
    """Return the bytes of all files below `folder`, links counted once."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)


def main() -> int:
    """Freeze and check; return the exit code."""
    started = time.monotonic()
    try:
        freeze()
        print(f"{PROGRAM} ({size(FOLDER) / 1e6:.0f} MB, {time.monotonic() - started:.0f} s)", flush=True)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            environment = bare_environment(Path(home))
            check_version(environment, Path(home))
            check_demonstration(environment, Path(home))
    except BuildError as error:
        print(f"The build failed: {error}", file=sys.stderr)
        return 1
    print("The frozen program works with an empty home.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
