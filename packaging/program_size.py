"""Measures the frozen program by part, and says whether it keeps its goals and what README tells."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

GOAL = 280e6  # bytes on disk, on Linux
PACKAGE_GOAL = 105e6  # bytes of one package, on Linux
SMALL = 0.5e6  # bytes; smaller parts are counted together
REST = "smaller parts"

_FOLDED = re.compile(r"(\.libs|-[\w.]+\.dist-info)$")  # a package's libraries and description are counted with it


@dataclass(frozen=True, slots=True)
class Part:
    """A package, a library or another part of the program, with its bytes on disk."""

    name: str
    size: int


def size(folder: Path) -> int:
    """Return the bytes of all files below `folder`, without links."""
    return sum(path.stat().st_size for path in _files(folder))


def parts(folder: Path) -> list[Part]:
    """Return the parts of the frozen program in `folder`, the largest first."""
    sizes: Counter[str] = Counter()
    for path in _files(folder):
        sizes[_part(path.relative_to(folder).parts)] += path.stat().st_size
    large = {name: number for name, number in sizes.items() if number >= SMALL}
    listed = [Part(name, number) for name, number in sorted(large.items(), key=lambda item: (-item[1], item[0]))]
    rest = sizes.total() - sum(large.values())
    return [*listed, Part(REST, rest)] if rest else listed


def table(found: Sequence[Part]) -> str:
    """Return a line for each part, with its megabytes, and one for all."""
    total = Part("the whole program", sum(part.size for part in found))
    return "\n".join(line(part.name, part.size) for part in (*found, total))


def line(name: str, size: int) -> str:
    """Return a line of the report."""
    return f"{size / 1e6:7.1f} MB  {name}"


def beyond_goals(program: int, packages: Iterable[Path]) -> list[str]:
    """Return a sentence for each goal that a program of so many bytes, or one of its packages, misses."""
    weights = [("The program", program, GOAL), *((file.name, file.stat().st_size, PACKAGE_GOAL) for file in packages)]
    return [
        f"{name} weighs {weight / 1e6:.1f} MB; its goal is {goal / 1e6:.0f} MB."
        for name, weight, goal in weights
        if weight > goal
    ]


def outdated(readme: str, program: int, packages: Iterable[Path]) -> list[str]:
    """Return a sentence for each size that the README tells and that is another one in this build."""
    weights = [("program for Linux, on disk", program)]
    weights += [("its Debian package", file.stat().st_size) for file in packages if file.suffix == ".deb"]
    return [
        f"README.md says {told[1]} MB of “{name}”; it is {weight / 1e6:.0f} MB.\n"
        for name, weight in weights
        if (told := re.search(rf"\| {name} \| (\d+) MB \|", readme)) and int(told[1]) != round(weight / 1e6)
    ]


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _part(place: Sequence[str]) -> str:
    """Return the part that a file belongs to, by its place in the program."""
    inside = place[1:] if len(place) > 1 and place[0] == "_internal" else place
    if len(inside) == 1:
        return inside[0]
    first = _FOLDED.sub("", inside[0])
    if first == "PySide6" and "plugins" in inside:
        return "PySide6, plugins"
    if first == "PySide6" and inside[-1].startswith("lib") and ".so" in inside[-1]:
        return f"PySide6, {inside[-1].partition('.')[0]}"
    return f"{first}, {inside[1]}" if first == "resources" and len(inside) > 2 else first
