"""Builds the program for this system: freeze, prove, pack, and describe what was packed.

It writes to `dist/`: the frozen program; the packages of this system; `sbom.cdx.json`, the list of everything inside
(CycloneDX); `THIRD-PARTY-NOTICES.txt`, all licences in one text; `latest.json`, the feed for “Check for updates”;
`SHA256SUMS`; and `sizes.txt`, the weight of the program by part and of its packages. Version and name come from
`pyproject.toml`. The exit code is 1 if a step failed, and 3 if everything was made and weighs more than its goal.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import licences
import program_size
import release_feed
import sbom
import translations
from project import NAME, ROOT, VERSION, source_date
from prove import ProofError, prove

PROGRAM = NAME + (".exe" if os.name == "nt" else "")
TOO_LARGE = 3  # the exit code of a build that is complete, and heavier than its goal
STORED = ROOT / "tests" / "integration" / "upgrades"


class BuildError(Exception):
    """A step of the build failed."""


def run(command: Sequence[str | Path], **environment: str) -> None:
    """Run a program; raise `BuildError` with the end of its output if it fails."""
    env = {**os.environ, **environment}
    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BuildError(f"{Path(command[0]).name} failed:\n" + (result.stdout + result.stderr)[-4000:])


def freeze(output: Path) -> Path:
    """Run PyInstaller on the spec and return the program's folder."""
    print("Freezing the program (a minute or two)", flush=True)
    if translations.compile_catalogues() != 0:
        raise BuildError("the catalogues of the languages could not be compiled")
    folder = output / "dist" / NAME
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    command += ["--distpath", str(folder.parent), "--workpath", str(output / "build" / "freeze")]
    # The order of sets and the dates in archives are the same in every build of one commit.
    fixed = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(source_date())}
    fixed["PYTHONNODEBUGRANGES"] = "1"  # a quarter of the modules' bytes, which underlines a part of a traceback's line
    run([*command, str(ROOT / "packaging" / "desktop_rag.spec")], **fixed)
    return folder


def pack(folder: Path, output: Path, runtime: Path | None = None) -> list[Path]:
    """Return the packages of this system, made of the frozen program in `folder`; with a `runtime` also an AppImage."""
    target, scratch = output / "dist", output / "build"
    if sys.platform == "linux":
        import linux_packages

        # xz uses one core for each.
        with ThreadPoolExecutor() as beside:
            archive = beside.submit(linux_packages.build_archive, folder, target, scratch)
            package = beside.submit(linux_packages.build_deb, folder, target, scratch)
        packages = [archive.result(), linux_packages.write_flatpak_manifest(archive.result()), package.result()]
        if runtime is not None:
            packages.append(linux_packages.build_appimage(folder, runtime, target, scratch))
        return packages
    import program_icons

    if sys.platform == "win32":
        if shutil.which("makensis") is None:
            raise BuildError("makensis is not installed (https://nsis.sourceforge.io)")
        installer = target / f"{NAME}-{VERSION}-setup.exe"
        program_icons.write_ico(scratch / f"{NAME}.ico")
        run(["makensis", "-WX", *nsis_defines(folder, installer, scratch / f"{NAME}.ico"), windows_script()])
        return [installer]
    image = target / f"{NAME}-{VERSION}-{os.uname().machine}.dmg"
    run(["sh", ROOT / "packaging" / "macos" / "make_dmg.sh", target / "Desktop RAG.app", image])
    return [image]


def windows_script() -> str:
    """Return the path of the installer's script for Windows."""
    return str(ROOT / "packaging" / "windows" / "desktop-rag.nsi")


def nsis_defines(folder: Path, installer: Path, icon: Path) -> list[str]:
    """Return the arguments with which makensis builds the installer of the program in `folder`."""
    facts = {"VERSION": VERSION, "PROGRAM": folder, "OUTPUT": installer, "ICON": icon, "LICENCE": ROOT / "LICENSE"}
    facts["KILOBYTES"] = str(program_size.size(folder) // 1024)
    return [f"-D{name}={value}" for name, value in facts.items()]


def write_checksums(files: Sequence[Path]) -> Path:
    """Write the SHA-256 of each file in the format of `sha256sum`, and return the list."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in sorted(files)]
    target = files[0].parent / "SHA256SUMS"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return target


def stored_libraries() -> list[Path]:
    """Return the stored libraries of earlier versions."""
    return sorted(STORED.glob("*.zip"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Freeze, prove and pack; return the exit code."""
    parser = argparse.ArgumentParser(prog="build", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT, help="parent folder of dist/ and build/")
    parser.add_argument("--only-program", action="store_true", help="freeze and prove, make no packages")
    parser.add_argument("--check", action="store_true", help="then install, run and remove all in a bare Debian root")
    parser.add_argument("--appimage-runtime", type=Path, help="the runtime to make an AppImage with, on Linux")
    options = parser.parse_args(arguments)
    if options.check and (reason := cannot_check()):
        parser.error(f"--check: {reason}")
    output = options.output.resolve()
    started = time.monotonic()
    packages: list[Path] = []
    try:
        folder = freeze(output)
        print(f"{folder} ({time.monotonic() - started:.0f} s)", flush=True)
        weight = report_sizes(folder, output / "dist" / "sizes.txt")
        prove(folder / PROGRAM, stored_libraries())
        if not options.only_program:
            print(f"Packing (some minutes; {time.monotonic() - started:.0f} s so far)", flush=True)
            packages = pack(folder, output, options.appimage_runtime)
            described = [sbom.write(output / "dist" / "sbom.cdx.json", folder)]
            (notices,) = folder.rglob("licences")
            described.append(licences.write_notices(notices, output / "dist" / "THIRD-PARTY-NOTICES.txt"))
            described.append(release_feed.write([*packages, *described], output / "dist" / "latest.json"))
            for file in (*packages, *described, write_checksums([*packages, *described])):
                print(f"{file} ({file.stat().st_size / 1e6:.1f} MB)", flush=True)
            with (output / "dist" / "sizes.txt").open("a", encoding="utf-8", newline="\n") as report:
                report.writelines(f"{program_size.line(file.name, file.stat().st_size)}\n" for file in packages)
            if options.check:
                check(packages, output / "build" / "bare-debian")
    except (BuildError, ProofError) as error:
        print(f"The build failed: {error}", file=sys.stderr)
        return 1
    print(f"The program is built and proved ({time.monotonic() - started:.0f} s).")
    return verdict(weight, packages) if sys.platform == "linux" else 0


def cannot_check() -> str:
    """Return why no bare Debian root can be made here, "" if one can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "it takes Linux and the rights of root"
    return "" if shutil.which("debootstrap") else "debootstrap is not installed"


def check(packages: Sequence[Path], root: Path) -> None:
    """Install, run and remove the packages in a bare Debian root, which is made and kept in folder `root`."""
    started = time.monotonic()
    (package,) = (file for file in packages if file.suffix == ".deb")
    run(["sh", ROOT / "packaging" / "linux" / "bare_debian.sh", package, root])
    print(f"ok: the packages are installed, run and removed in a bare root ({time.monotonic() - started:.0f} s)")


def report_sizes(folder: Path, target: Path) -> int:
    """Print the weight of the program in `folder` by part, write it to `target` too, and return the bytes of all."""
    found = program_size.parts(folder)
    target.write_text(program_size.table(found) + "\n", encoding="utf-8", newline="\n")
    print(program_size.table(found), flush=True)
    return sum(part.size for part in found)


def verdict(weight: int, packages: Sequence[Path]) -> int:
    """Return the exit code of a complete build, and say which goals of size a program and its packages miss."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    print(*program_size.outdated(readme, weight, packages), sep="", end="", file=sys.stderr)
    missed = program_size.beyond_goals(weight, packages)
    if missed:
        print("\n".join([*missed, "What is in it, largest first, stands above and in sizes.txt."]), file=sys.stderr)
    return TOO_LARGE if missed else 0


if __name__ == "__main__":
    sys.exit(main())
