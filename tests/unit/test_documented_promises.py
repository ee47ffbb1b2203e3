"""The threat model names tests that exist, and every runtime dependency has its line."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_row_of_the_threat_model_names_an_existing_test() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [
        line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| attack", "| process"))
    ]
    assert len(rows) >= 13
    for row in rows:
        named = re.findall(r"`(tests/[\w/.]+)::(\w+)`", row)
        assert named, row
        assert len(named) == row.count("`tests/")
        for file, test in named:
            assert test in functions_of(ROOT / file), f"{file} has no {test}"


def functions_of(file: Path) -> set[str]:
    """Return the names of the test functions of a module that pytest collects."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    return {each.name for each in module.body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")}


def test_every_dependency_has_a_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.match(r"[\w.-]+", each)[0].lower() for each in project["dependencies"]}  # type: ignore[index]
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    listed = {line.split("|")[1].strip().lower() for line in page.splitlines() if line.startswith("| ")} - {"package"}
    assert listed == wanted
    assert all(line.count("|") == 5 for line in page.splitlines() if line.startswith("| "))
