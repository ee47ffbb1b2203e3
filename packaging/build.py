"""Freezes the program with PyInstaller and smoke-tests the result with an empty home folder and without Python."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME: str = PROJECT["name"]
PROGRAM = NAME + (".exe" if os.name == "nt" else "")
SECONDS = 300


class BuildError(Exception):
    """The frozen program does not do what the program from source does."""


def freeze(output: Path) -> Path:
    """Run PyInstaller on the spec and return the program's folder; print PyInstaller's output only on failure."""
    print("Freezing the program (a minute or two)", flush=True)
    folder = output / "dist" / NAME
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    command += ["--distpath", str(folder.parent), "--workpath", str(output / "build" / "freeze")]
    command.append(str(ROOT / "packaging" / "desktop_rag.spec"))
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BuildError("PyInstaller failed:\n" + (result.stdout + result.stderr)[-4000:])
    return folder


def bare_environment(home: Path) -> dict[str, str]:
    """Return the environment of a user who has just unpacked the program and has no Python."""
    kept = ("LANG", "SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "COMSPEC", "NUMBER_OF_PROCESSORS")
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    bare["PATH"] = os.defpath
    bare["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        bare[name] = str(home)
    return bare


@dataclass(frozen=True, slots=True)
class Trial:
    """A frozen program with the environment and folder it is tested in."""

    program: Path
    environment: Mapping[str, str]
    folder: Path

    def run(self, *arguments: str) -> tuple[str, str]:
        """Return the program's stdout and stderr; raise `BuildError` on a failing exit code or a timeout."""
        try:
            result = subprocess.run(
                [str(self.program), *arguments],
                cwd=self.folder,
                env=self.environment,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise BuildError(f"{' '.join(arguments)} did not finish within {SECONDS} s") from error
        if result.returncode != 0:
            said = (result.stdout + result.stderr)[-4000:]
            raise BuildError(f"{' '.join(arguments)} exited with {result.returncode}:\n{said}")
        return result.stdout, result.stderr


def check_version(trial: Trial) -> None:
    """Check that the frozen program reports the expected version."""
    printed, _ = trial.run("--version")
    if PROJECT["version"] not in printed:
        raise BuildError(f"--version printed {printed.strip()!r}, not {PROJECT['version']}")


def check_demonstration(trial: Trial) -> None:
    """Check that the sample is indexed, the question answered with a citation, and the window rendered."""
    printed = "".join(trial.run("--demo"))
    print(printed, flush=True)
    if not re.search(r"\[\d+\]", printed):
        raise BuildError("the demonstration finished without a cited answer")
    pictures = [Path(name) for name in re.findall(r"\S*[/\\]\S+\.png", printed)]
    if not any((trial.folder / picture).is_file() for picture in pictures):
        raise BuildError("the demonstration finished without a screenshot")


def check_formats(trial: Trial, samples: Path, names: Sequence[str], word: str) -> None:
    """Check that `word` is found in each sample file, through the real indexer and its readers."""
    trial.run("index", str(samples), "--json")
    printed, _ = trial.run("search", word, "--mode", "keyword", "-k", str(2 * len(names)), "--json")
    found = {Path(path).name for hit in json.loads(printed)["hits"] for path in (hit["path"], *hit["also"])}
    if missing := sorted(set(names) - found):
        problems, _ = trial.run("status", "--problems")
        raise BuildError(f"not found in {', '.join(missing)}:\n{problems}")
    print(f"Found in all {len(names)} sample files: {', '.join(names)}", flush=True)


def size(folder: Path) -> int:
    """Return the bytes of all files below `folder`, counting links once."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)


def try_out(program: Path) -> None:
    """Smoke-test the frozen program; raise `BuildError` if a check fails."""
    sys.path.append(str(ROOT))  # the samples are written with the libraries that the tests use
    from samples import WORD, write_samples

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        trial = Trial(program, bare_environment(Path(home)), Path(home))
        check_version(trial)
        check_demonstration(trial)
        samples = Path(home) / "samples"
        samples.mkdir()
        check_formats(trial, samples, write_samples(samples), WORD)


def main(arguments: Sequence[str] | None = None) -> int:
    """Freeze and check; return the exit code."""
    parser = argparse.ArgumentParser(prog="build", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT, help="parent folder of dist/ and build/")
    output = parser.parse_args(arguments).output.resolve()
    started = time.monotonic()
    try:
        folder = freeze(output)
        print(f"{folder} ({size(folder) / 1e6:.0f} MB, {time.monotonic() - started:.0f} s)", flush=True)
        try_out(folder / PROGRAM)
    except BuildError as error:
        print(f"The build failed: {error}", file=sys.stderr)
        return 1
    print("The frozen program works with an empty home.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
