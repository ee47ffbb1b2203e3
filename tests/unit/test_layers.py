"""The floors of the house: imports go downwards only, in no circle, and Qt stays at the top."""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "desktop_rag"
FLOORS = (
    {"errors", "stop", "paths", "settings", "credentials", "processes"},
    {"text"},
    {"documents", "llm"},
    {"index"},
    {"retrieval"},
    {"agent"},
    {"evaluation", "mcp"},
    {"cli", "gui"},
    {"app"},
    {"demo"},
    {"__main__"},
)
WITH_QT = {"gui", "app", "demo"}
LONGEST_MODULE = 450
SOURCES = sorted(PACKAGE.rglob("*.py"))


def dotted(module: Path) -> str:
    parts = module.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part(name: str) -> str:
    """Return the module or folder under `desktop_rag` that a dotted name belongs to."""
    parts = name.split(".")
    return parts[1] if parts[0] == "desktop_rag" and len(parts) > 1 else ""


def level(name: str) -> int:
    return next((n for n, floor in enumerate(FLOORS) if part(name) in floor), -1)


def imported(tree: ast.Module, everywhere: bool = True) -> Iterator[str]:
    """Yield the dotted names a module imports; also inside functions unless told otherwise."""
    for node in ast.walk(tree) if everywhere else at_import(tree.body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when the module is imported, and at no other time."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from at_import([n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)])


def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"), str(module))


@pytest.mark.parametrize("module", SOURCES, ids=dotted)
def test_a_module_imports_only_from_its_own_floor_or_below(module: Path) -> None:
    own = level(dotted(module))
    names = set(imported(parsed(module)))
    upward = {name for name in names if part(name) and level(name) > own}
    assert not upward, f"{dotted(module)} reaches up to {upward}"


def test_neighbours_on_a_floor_do_not_know_each_other_in_both_directions() -> None:
    known = {
        (part(dotted(module)), part(name))
        for module in SOURCES
        for name in imported(parsed(module))
        if part(name) and part(name) != part(dotted(module))
    }
    assert {pair for pair in known if pair[::-1] in known} == set()


@pytest.mark.parametrize("module", SOURCES, ids=dotted)
def test_every_module_stands_on_a_floor(module: Path) -> None:
    assert dotted(module) == "desktop_rag" or level(dotted(module)) >= 0


@pytest.mark.parametrize("module", SOURCES, ids=dotted)
def test_only_the_window_knows_qt(module: Path) -> None:
    if part(dotted(module)) in WITH_QT:
        return
    qt = {name for name in imported(parsed(module)) if name.split(".")[0] in ("PySide6", "shiboken6")}
    assert qt == set()


def test_imports_run_in_no_circle() -> None:
    names = {dotted(module) for module in SOURCES}
    graph = {
        dotted(module): {
            name for name in imported(parsed(module), everywhere=False) if name in names and name != dotted(module)
        }
        for module in SOURCES
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


@pytest.mark.parametrize("module", SOURCES, ids=dotted)
def test_a_module_can_be_read_in_one_sitting(module: Path) -> None:
    lines = module.read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST_MODULE, f"{dotted(module)} has {lines} lines"
