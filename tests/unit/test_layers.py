"""What the contracts of import-linter (`[tool.importlinter]` in pyproject.toml) cannot say of the modules."""

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_MODULE = 600
SOURCES = sorted((ROOT / "desktop_rag").rglob("*.py"))


def dotted(module: Path) -> str:
    parts = module.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(module: Path) -> Iterator[str]:
    """Yield the dotted names a module imports when it is imported, and at no other time."""
    for node in at_import(ast.parse(module.read_text(encoding="utf-8"), str(module)).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from at_import([n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)])


def test_modules_are_imported_in_no_circle() -> None:
    names = {dotted(module) for module in SOURCES}
    graph = {
        dotted(module): {name for name in imported(module) if name in names and name != dotted(module)}
        for module in SOURCES
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_every_module_can_be_read_in_one_sitting() -> None:
    lengths = {dotted(module): module.read_text(encoding="utf-8").count("\n") for module in SOURCES}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


def test_every_package_is_in_the_map_of_the_package_around_it() -> None:
    packages = {module.parent for module in SOURCES if module.name == "__init__.py"}
    top = ROOT / "desktop_rag"  # docs/architecture.md is its map
    unmapped = {
        dotted(package)
        for package in packages - {top}
        if package.parent != top
        and not re.search(rf"\b{package.name}\b", (package.parent / "__init__.py").read_text(encoding="utf-8"))
    }
    assert unmapped == set()


def test_the_page_of_the_architecture_names_every_layer() -> None:
    _, _, page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Layers")
    layers = {dotted(module).split(".")[1] for module in SOURCES if not module.name.startswith("_")}
    assert layers - set(re.findall(r"\w+", page.split("```")[1])) == set()
