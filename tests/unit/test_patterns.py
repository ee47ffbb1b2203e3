"""No pattern repeats a group possessively: Python before 3.11.5 matches that wrongly (gh-106052)."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")


def possessive(path: Path) -> list[int]:
    """Return the lines of a module with such a pattern."""
    texts = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant))
    return [text.lineno for text in texts if isinstance(text.value, str) and POSSESSIVE_GROUP.search(text.value)]


def test_no_group_is_repeated_possessively() -> None:
    modules = sorted((ROOT / "desktop_rag").rglob("*.py"))
    assert {path.relative_to(ROOT).as_posix(): lines for path in modules if (lines := possessive(path))} == {}


def test_such_a_group_is_recognised() -> None:
    assert [bool(POSSESSIVE_GROUP.search(text)) for text in ("(?:a+b)++", "(a){1,20}+", "[ab]++", r"\)++", "(a)+")] == [
        True,
        True,
        False,
        False,
        False,
    ]
