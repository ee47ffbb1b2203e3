"""Compares two builds of one commit byte by byte: `python packaging/compare_builds.py DIST DIST`.

It names every file that differs, and inside the frozen executable every module; the exit code is 1 if any does.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from project import NAME

MAGIC = b"MEI\014\013\012\013\016"  # of the archive in an executable of PyInstaller


def differences(first: Path, second: Path) -> Iterator[str]:
    """Yield the path of every file that is in one folder only or differs, and what of it differs."""
    ours, other = contents(first), contents(second)
    for name in sorted(ours.keys() | other.keys()):
        if name not in ours or name not in other:
            yield f"{name}: only in {first if name in ours else second}"
        elif ours[name] != other[name]:
            yield f"{name}: differs"
            if Path(name).stem == NAME and MAGIC in (first / name).read_bytes():
                yield from (f"{name}: {part}" for part in _inside(first / name, second / name))


def contents(folder: Path) -> Mapping[str, tuple[object, ...]]:
    """Return the type, permissions and bytes of everything in `folder`, by relative path; times are no part of it."""
    found: dict[str, tuple[object, ...]] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = ("link", path.readlink())
        elif path.is_file():
            found[name] = ("file", path.stat().st_mode & 0o111, path.read_bytes())
    return found


def _inside(first: Path, second: Path) -> Iterator[str]:
    """Yield the modules and scripts that differ between two frozen executables."""
    from PyInstaller.archive.readers import CArchiveReader

    readers = [CArchiveReader(str(file)) for file in (first, second)]
    for name in sorted(readers[0].toc.keys() | readers[1].toc.keys()):
        if any(name not in reader.toc for reader in readers):
            yield f"{name}: only in one"
        elif readers[0].extract(name) != readers[1].extract(name):
            if not name.startswith("PYZ"):
                yield f"{name}: differs"
                continue
            packed = [reader.open_embedded_archive(name) for reader in readers]
            for module in sorted(packed[0].toc.keys() | packed[1].toc.keys()):
                if any(module not in one.toc for one in packed):
                    yield f"{module}: only in one"
                elif packed[0].extract(module, raw=True) != packed[1].extract(module, raw=True):
                    yield f"{module}: differs"


def main(arguments: list[str]) -> int:
    """Print the differences; return the exit code."""
    if len(arguments) != 2 or not all(Path(name).is_dir() for name in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    found = list(differences(Path(arguments[0]), Path(arguments[1])))
    print("\n".join(found) if found else "The builds are equal.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
