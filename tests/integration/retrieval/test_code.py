"""Source code in searches: snippets keep their lines, identifiers are found whole and by their parts."""

import pytest

from desktop_rag.retrieval.api import Mode
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

SOURCE = """class RentTable:
    def monthly_increase(self, percent):
        for month in self.months:
            if month.isOpen():
                yield parseHttpRequest(month) * percent


def closing():
\treturn None
"""
GUIDE = """# Guide

Install it like this, and then call it.

```python
if ready:
    start_engine(
        speed=3,
    )
```

That is all there is to say about the engine of the boat.
"""


@pytest.fixture(autouse=True)
def code(library: SmallLibrary) -> None:
    library.add({"rent_table.py": SOURCE, "guide.md": GUIDE}, root="src")
    library.encode()


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT, Mode.HYBRID])
def test_a_snippet_of_code_keeps_its_lines_and_indentation(mode: Mode, ask: Ask) -> None:
    hit = next(hit for hit in ask("isOpen", mode).hits if hit.path.name == "rent_table.py")
    lines = hit.snippet.text.split("\n")
    assert "            if month.isOpen():" in lines
    assert set(lines) <= set(SOURCE.split("\n"))
    assert [hit.snippet.text[start:end].lower() for start, end in hit.snippet.marks] == ["isopen"]
    shown = SOURCE.split("\n")[hit.snippet.span.first_line - 1 : hit.snippet.span.last_line]
    assert lines == shown
    assert SOURCE[hit.snippet.span.start : hit.snippet.span.end] == hit.snippet.text


def test_code_inside_a_text_keeps_its_lines_and_the_text_is_one_line(ask: Ask) -> None:
    (hit,) = (hit for hit in ask("speed").hits if hit.path.name == "guide.md")
    assert hit.snippet.text.split("\n") == GUIDE.split("\n")[4:10]
    assert (hit.snippet.span.first_line, hit.snippet.span.last_line) == (5, 10)
    (text,) = (hit for hit in ask("boat engine").hits if hit.path.name == "guide.md")
    assert "\n" not in text.snippet.text


@pytest.mark.parametrize(
    "query",
    [
        *("parseHttpRequest", "parsehttprequest", "http request", "request", '"http request"', "parse_http_request"),
        *("monthly_increase", "monthlyIncrease", "increase", "monthly increase", "RentTable", "rent table", "isOpen"),
    ],
)
@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID])
def test_identifiers_are_found_whole_and_by_their_parts(query: str, mode: Mode, ask: Ask) -> None:
    assert "rent_table.py" in names(ask(query, mode))
