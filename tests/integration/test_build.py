"""The program is frozen and proves on its own what it does, installs, is removed, and comes out the same again.

Sizes over the goal are for a release to decide.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import compare_builds
import linux_packages
import machine

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
PROOFS = 10
COMPLETE = (0, 3)  # exit codes: within the goal for sizes, or above it
AGAIN = "import sys, pathlib, build; build.freeze(pathlib.Path(sys.argv[1]))"
LAYER = (
    "mount -t tmpfs t {0} && mkdir {0}/u {0}/w {0}/r"
    " && mount -t overlay o -o lowerdir=/,upperdir={0}/u,workdir={0}/w {0}/r"
)


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=PACKAGING, capture_output=True, text=True, check=False)


def cannot_install(folder: Path) -> str:
    """Return why no package can be installed over a layer of this machine's root, "" if one can."""
    if os.geteuid() != 0:
        return "it takes the rights of root"
    tried = run("unshare", "--mount", "--net", "sh", "-c", LAYER.format(folder))
    return tried.stderr.strip() or ("" if Path("/var/lib/dpkg/status").exists() else "this is no Debian")


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="the proofs of other systems run in the workflow of releases")
@pytest.mark.skipif(bool(machine.missing_libraries(screen=True)), reason="the window needs libraries of the X server")
def test_the_program_is_frozen_proved_installed_and_built_alike_again(tmp_path: Path) -> None:
    for name in ("first", "again", "scratch", "layer"):
        (tmp_path / name).mkdir()
    built = run(sys.executable, PACKAGING / "build.py", "--only-program", "--output", tmp_path / "first")
    assert built.returncode in COMPLETE, f"{built.stdout[-4000:]}\n{built.stderr[-4000:]}"
    assert built.stdout.count("\nok: ") == PROOFS
    assert "the whole program" in (tmp_path / "first" / "dist" / "sizes.txt").read_text(encoding="utf-8")

    again = run(sys.executable, "-c", AGAIN, tmp_path / "again")
    assert again.returncode == 0, f"{again.stdout[-4000:]}\n{again.stderr[-4000:]}"
    programs = [tmp_path / name / "dist" / "desktop-rag" for name in ("first", "again")]
    assert list(compare_builds.differences(*programs)) == []

    if reason := cannot_install(tmp_path / "layer"):
        pytest.skip(f"built and proved, but not installed: {reason}")
    package = linux_packages.build_deb(programs[0], tmp_path, tmp_path / "scratch", level=0)
    installed = run("sh", PACKAGING / "linux" / "installed.sh", package, tmp_path / "layer")
    assert installed.returncode == 0, f"{installed.stdout[-4000:]}\n{installed.stderr[-4000:]}"
    for line in ("an ordinary user:", "root:", "Painted page 2 of 3", "removed; the data of the user stays"):
        assert line in installed.stdout
