"""SQL is in `index/catalog` only, and in the stores of the user's own data, which have databases of their own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALLOWED = (
    "desktop_rag/index/catalog/",
    "desktop_rag/agent/conversations/",
    "desktop_rag/agent/gate/sent_ledger.py",
    "desktop_rag/work/work_store.py",
    "desktop_rag/index/encoding/conversion.py",  # one of its texts is a statement
    "benchmarks/faults/sabotages.py",  # edits copies of the catalog's own code
    "benchmarks/faults/sessions.py",  # asks whom the catalog holds responsible
    "benchmarks/libraries/files.py",  # fills a catalog with 100,000 files that do not exist
)
SOURCES = sorted(
    path
    for folder in ("desktop_rag", "benchmarks/libraries", "benchmarks/faults")
    for path in (ROOT / folder).rglob("*.py")
    if not path.relative_to(ROOT).as_posix().startswith(ALLOWED)
)
SQL = re.compile(
    r"\s*(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s|CREATE\s+TABLE\s)",
    re.DOTALL,
)


def statements(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of SQL statements and of accesses to a catalog's database."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value):
            yield node.lineno
        if isinstance(node, ast.Attribute) and node.attr in {"database", "_database"}:
            yield node.lineno


def test_no_module_outside_the_catalog_queries_its_database() -> None:
    found = {path.relative_to(ROOT).as_posix(): [*statements(ast.parse(path.read_text()))] for path in SOURCES}
    assert {place: lines for place, lines in found.items() if lines} == {}


def test_sql_in_the_catalog_is_recognised() -> None:
    tables = ROOT / "desktop_rag" / "index" / "catalog" / "chunk_table.py"
    assert list(statements(ast.parse(tables.read_text())))
