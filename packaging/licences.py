"""Collects the licences of everything frozen with the program, to be distributed with it."""

import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

_LICENCE = re.compile(
    r"(?:^|/)licenses/|(?:^|/)(?:licen[cs]es?|copying|notice|copyright|authors|thirdparty)[^/]*$", re.IGNORECASE
)
_CODE = (".py", ".pyc", ".pyi", ".so", ".pyd")


def of_packages(modules: Iterable[str]) -> dict[str, Path]:
    """Return the licence files of the packages that contain these modules, by target path below `licences`."""
    owners = packages_distributions()
    names = {name for module in modules for name in owners.get(module.split(".")[0], ())}
    found: dict[str, Path] = {}
    for name in sorted(names, key=str.lower):
        found |= _of_package(distribution(name))
    return found


def of_python() -> dict[str, Path]:
    """Return the licence of the Python interpreter, if its installation includes it."""
    places = (Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_config_var("installed_base") or ""))
    files = [folder / name for folder in places for name in ("LICENSE.txt", "LICENSE")]
    return {f"python/{file.name}": file for file in files if file.is_file()}


def of_libraries(files: Iterable[Path]) -> dict[str, Path]:
    """Return the copyright files of the Debian packages that own these libraries; empty on other systems."""
    paths = sorted({str(path) for file in files for path in (file, file.resolve())})
    if shutil.which("dpkg-query") is None or not paths:
        return {}
    answer = subprocess.run(["dpkg-query", "--search", *paths], capture_output=True, text=True, check=False).stdout
    names = {line.split(":")[0] for line in answer.splitlines() if not line.startswith("diversion ")}
    notices = ((name, Path("/usr/share/doc") / name / "copyright") for name in sorted(names))
    return {f"{name}/copyright": notice for name, notice in notices if notice.is_file()}


def _of_package(package: Distribution) -> dict[str, Path]:
    """Return a package's licence files, or its metadata (which names the licence) if it has none."""
    name = package.metadata["Name"]
    files = [file for file in package.files or () if ".." not in file.parts and file.suffix not in _CODE]
    chosen = [file for file in files if _LICENCE.search(file.as_posix())]
    chosen = chosen or [file for file in files if file.name in ("METADATA", "PKG-INFO")]
    placed = ((re.sub(r"^[^/]*\.dist-info/(?:licenses/)?", "", file.as_posix()), file) for file in chosen)
    found = {f"{name}/{place}": Path(str(file.locate())) for place, file in placed}
    return {place: file for place, file in found.items() if file.is_file()}


def write_notices(licences: Path, target: Path) -> Path:
    """Write all files of the folder `licences` into one text, each text once under the names of all that share it."""
    names: dict[str, list[str]] = {}
    for file in sorted(licences.rglob("*")):
        if file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace").strip()
            names.setdefault(text, []).append(file.relative_to(licences).as_posix())
    rule = "=" * 80
    parts = [f"{rule}\n" + "\n".join(shared) + f"\n{rule}\n\n{text}\n" for text, shared in names.items()]
    target.write_text("\n".join(parts), encoding="utf-8", newline="\n")
    return target
