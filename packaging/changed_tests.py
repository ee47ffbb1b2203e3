"""Which tests can notice a change: those whose imports, direct or not, reach a changed file.

Imports are read from the sources, also those inside functions. A string that names a module counts as an import, as
readers and verbs are loaded by name and processes are started by it. A test also needs the `conftest.py` files of the
folders above it. A changed file that is not Python belongs to the modules that name it or its folder; if none does, all
tests are chosen. Standard library only.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from pathlib import Path

ROOTS = ("desktop_rag", "tests", "benchmarks", "packaging", "examples")
PRODUCT = "desktop_rag"
IMPORTED_BY_NAME = ("packaging",)  # folders that are searched for modules, and no packages
LAZILY = "#"  # ends the name of a package that stands for what its names import when they are first used
EVERYTHING = ("pyproject.toml", "packaging/requirements-dev.lock", "tests/conftest.py")


def changed_files(root: Path, since: str | None) -> tuple[str, list[str]]:
    """Return from where the change is counted, in words, and the files that differ from there, new ones included."""
    if since is None:
        for since in ("main", "origin/main"):
            start = _git(root, "merge-base", "HEAD", since).strip()
            if start and start != _git(root, "rev-parse", "HEAD").strip():
                break
        else:
            since, start = "the last commit", "HEAD"
            if not _git(root, "status", "--porcelain").strip():
                since, start = "the commit before", "HEAD~1"
    else:
        start = since
    tracked = _git(root, "diff", "--name-only", "-z", start).split("\0")
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return since, sorted({name for name in (*tracked, *new) if name})


def _git(root: Path, *arguments: str) -> str:
    """Return what git prints, or nothing if it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout if done.returncode == 0 else ""


def files_of_tests(root: Path, changed: list[str]) -> list[str] | None:
    """Return the test files that a change of these files concerns, or None if all are."""
    if any(name in EVERYTHING for name in changed):
        return None
    sources = {path.relative_to(root).as_posix(): path for folder in ROOTS for path in (root / folder).rglob("*.py")}
    texts = {name: path.read_text(encoding="utf-8") for name, path in sources.items()}
    reached: set[str] = set()
    for name in changed:
        if name.endswith(".py"):
            reached.add(name)
        elif users := _users(name, texts):
            reached |= users
        else:
            return None
    importers = _importers(texts)
    waiting = list(reached)
    while waiting:
        for importer in importers[waiting.pop()] - reached:
            reached.add(importer)
            waiting.append(importer)
    return sorted(name for name in reached if name in texts and _is_test(name))


def _is_test(name: str) -> bool:
    return name.startswith("tests/") and Path(name).name.startswith("test_")


def _users(name: str, texts: dict[str, str]) -> set[str]:
    """Return the modules that name a file which is not Python, or the folder it is in."""
    path = Path(name)
    for word in (path.name, path.parent.name):
        if word and (users := {module for module, text in texts.items() if re.search(rf"\b{re.escape(word)}\b", text)}):
            return users
    return set()


def _importers(texts: dict[str, str]) -> defaultdict[str, set[str]]:
    """Return for each module's file the files that import it."""
    files = {_dotted(name): name for name in texts}
    endings = defaultdict(set)  # “pdf.pdf_reader” of “desktop_rag.documents.formats.pdf.pdf_reader”
    for dotted in files:
        parts = dotted.split(".")
        for first in range(len(parts) - 1):
            endings[".".join(parts[first:])].add(dotted)
    trees = {name: ast.parse(text, name) for name, text in texts.items()}
    endings.update(_child_verbs(trees["desktop_rag/__main__.py"]))
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        lazily = name + LAZILY if name.endswith("__init__.py") else name
        if lazily != name:
            importers[name].add(lazily)
            for dotted in _imported_at_once(tree):
                _note(dotted, name, files, importers)
        mentioned = _mentioned(tree, endings)
        if name.startswith("tests/") and "desktop_rag" in mentioned:  # it starts the program, or reads its sources
            started = re.search(r"""["']-m["'], ["']desktop_rag["']""", texts[name])
            mentioned |= (
                {"desktop_rag.__main__"} if started else {each for each in files if each.startswith("desktop_rag")}
            )
        if "walk_packages" in texts[name]:
            mentioned |= {each for each in files if each.startswith(tuple(f"{package}." for package in mentioned))}
        for dotted in mentioned:
            _note(dotted, lazily, files, importers)
        if name.startswith("tests/"):
            for folder in Path(name).parents:
                importers[(folder / "conftest.py").as_posix()].add(name)
    return importers


def _note(dotted: str, importer: str, files: dict[str, str], importers: defaultdict[str, set[str]]) -> None:
    """Note that a file imports a module, or a name of it, and with it the packages that the module is in."""
    parts = dotted.split(".")
    known = [imported for last in range(1, len(parts) + 1) if (imported := files.get(".".join(parts[:last])))]
    for imported in known:
        importers[imported].add(importer)
    if known and dotted not in files and known[-1].endswith("__init__.py"):
        importers[known[-1] + LAZILY].add(importer)


def _imported_at_once(tree: ast.Module) -> set[str]:
    """Return the dotted names that are imported when a module is."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def _dotted(name: str) -> str:
    """Return the dotted name of a module's file."""
    parts = Path(name).with_suffix("").parts
    if parts[0] in IMPORTED_BY_NAME:
        parts = parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _child_verbs(main: ast.Module) -> dict[str, set[str]]:
    """Return the verbs by which the program starts its children, each with the module it runs."""
    for node in main.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CHILD_VERBS":
            return {verb: {module} for verb, module in ast.literal_eval(node.value).items()}
    return {}


def _mentioned(tree: ast.Module, endings: dict[str, set[str]]) -> set[str]:
    """Return the dotted names that a module imports or mentions; “desktop_rag” alone only if it is a string."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name != "desktop_rag")
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update({node.value} if node.value == "desktop_rag" else endings.get(node.value, ()))
    return found
