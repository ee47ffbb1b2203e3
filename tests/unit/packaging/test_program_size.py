"""The weight of the frozen program by part, and a build that is heavier than its goal: it warns and is complete."""

from pathlib import Path

import pytest

import build
import program_size
from program_size import Part
from project import ROOT

MEGABYTE = 1_000_000


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Make a program of 14.1 MB, none of which is written to the disk."""
    folder = tmp_path / "desktop-rag"
    for place, size in {
        "desktop-rag": 3 * MEGABYTE,
        "_internal/numpy/core.so": MEGABYTE,
        "_internal/numpy.libs/libopenblas.so": 4 * MEGABYTE,
        "_internal/numpy-2.3.1.dist-info/METADATA": 1,
        "_internal/PySide6/Qt/lib/libQt6Core.so.6": 2 * MEGABYTE,
        "_internal/PySide6/Qt/plugins/platforms/libqxcb.so": MEGABYTE,
        "_internal/libpython3.11.so.1.0": 3 * MEGABYTE,
        "_internal/small/module.so": 99_999,
    }.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as opened:
            opened.truncate(size)
    (folder / "_internal" / "libQt6Core.so.6").symlink_to("PySide6/Qt/lib/libQt6Core.so.6")
    return folder


def test_the_parts_are_listed_largest_first_and_are_the_whole(program: Path) -> None:
    found = program_size.parts(program)
    assert found == [
        Part("numpy", 5 * MEGABYTE + 1),
        Part("desktop-rag", 3 * MEGABYTE),
        Part("libpython3.11.so.1.0", 3 * MEGABYTE),
        Part("PySide6, libQt6Core", 2 * MEGABYTE),
        Part("PySide6, plugins", MEGABYTE),
        Part(program_size.REST, 99_999),
    ]
    assert sum(part.size for part in found) == program_size.size(program)
    assert program_size.table(found).splitlines()[-1] == "   14.1 MB  the whole program"


def test_the_report_is_printed_and_written(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build.report_sizes(program, tmp_path / "sizes.txt") == 14_100_000
    assert (tmp_path / "sizes.txt").read_text(encoding="utf-8") == capsys.readouterr().out


@pytest.mark.parametrize(
    ("weight", "package", "code"),
    [
        (program_size.GOAL, program_size.PACKAGE_GOAL, 0),
        (program_size.GOAL + 1, program_size.PACKAGE_GOAL, 3),
        (program_size.GOAL, program_size.PACKAGE_GOAL + 1, 3),
    ],
)
def test_a_build_beyond_its_goals_warns_with_exit_code_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], weight: float, package: float, code: int
) -> None:
    file = tmp_path / "desktop-rag.deb"
    with file.open("wb") as opened:
        opened.truncate(int(package))
    assert build.verdict(int(weight), [file]) == code
    said = capsys.readouterr().err
    assert said.count("its goal is") == (1 if code else 0)
    assert ("sizes.txt" in said) == bool(code)


def test_sizes_that_the_readme_tells_and_that_have_changed_are_named(tmp_path: Path) -> None:
    package = tmp_path / "desktop-rag.deb"
    with package.open("wb") as opened:
        opened.truncate(99 * MEGABYTE + 400_000)
    readme = "| program for Linux, on disk | 277 MB | `dev.py build` |\n| its Debian package | 98 MB | x |\n"
    assert program_size.outdated(readme, 277 * MEGABYTE - 400_000, [package]) == [
        "README.md says 98 MB of “its Debian package”; it is 99 MB.\n"
    ]
    assert program_size.outdated(readme.replace("98", "99"), 277 * MEGABYTE, [package]) == []
    written = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(program_size.outdated(written, 0, [package.with_name("none.zip")])) == 1


def test_the_docs_tell_the_goals() -> None:
    releasing = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    goal, package = program_size.GOAL / 1e6, program_size.PACKAGE_GOAL / 1e6
    assert f"({goal:.0f} MB on disk, {package:.0f} MB a package)" in releasing
