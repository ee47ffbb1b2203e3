import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown, texts


def _notebook(*cells: object, **metadata: object) -> bytes:
    return json.dumps({"cells": list(cells), "metadata": metadata, "nbformat": 4}).encode()


def _code(text: str, *outputs: object) -> dict[str, object]:
    return {"cell_type": "code", "source": text.splitlines(keepends=True), "outputs": list(outputs)}


def _lines(*outputs: object) -> list[str]:
    return texts("a.ipynb", _notebook(_code("x", *outputs)))[1:]


def _labels(document: Document) -> list[tuple[int, str]]:
    return [(section.first_line, section.label) for section in document.structure.sections]


def test_cells_are_numbered_sections_of_markdown_and_code() -> None:
    markdown = {"cell_type": "markdown", "source": ["# The lease\n", "\n", "- rent"]}
    document = read_document(
        "a.ipynb", _notebook(markdown, _code("rent = 1\n\nrent"), {"cell_type": "raw", "source": "r"})
    )
    assert [(kind, level) for kind, level, _ in shown(document)] == [
        ("HEADING", 1),
        ("ITEM", 1),
        ("CODE", 0),
        ("CODE", 0),
        ("PARAGRAPH", 0),
    ]
    assert _labels(document) == [(1, "Cell 1"), (5, "Cell 2"), (9, "Cell 3")]
    assert document.title == "The lease"


def test_the_outputs_of_a_cell_follow_it() -> None:
    stream = {"output_type": "stream", "text": ["10%\r50%\rdone\n", "next\n"]}
    assert _lines(stream) == ["Output:", "done", "next"]
    error = {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "no",
        "traceback": ["\x1b[31mValueError\x1b[0m: no"],
    }
    assert _lines(error) == ["Error:", "ValueError: no"]
    plain = {"output_type": "execute_result", "data": {"text/plain": ["42"]}}
    assert _lines(plain) == ["Output:", "42"]


def test_tables_become_rows_and_pictures_are_named() -> None:
    table = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert _lines({"output_type": "execute_result", "data": {"text/html": table, "text/plain": "a b"}}) == [
        "Output:",
        "a\tb",
        "1\t2",
    ]
    picture = {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": "<Figure>"}}
    assert _lines(picture) == ["Output: a picture (png) <Figure>"]


def test_notebooks_of_the_third_version_are_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Results"},
        {"cell_type": "code", "input": "1 + 1", "outputs": [{"output_type": "pyout", "text": "2"}]},
    ]
    data = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()
    assert shown(read_document("a.ipynb", data)) == [
        ("HEADING", 2, "Results"),
        ("CODE", 0, "1 + 1"),
        ("PARAGRAPH", 0, "Output:"),
        ("CODE", 0, "2"),
    ]


def test_title_and_authors_come_from_the_metadata() -> None:
    document = read_document(
        "a.ipynb", _notebook(_code("x"), title="Rents", authors=[{"name": "Anna"}, {"name": "Bo"}])
    )
    assert (document.title, document.author) == ("Rents", "Anna, Bo")


def test_text_up_to_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_CHARACTERS", 500)
    document = read_document("a.ipynb", _notebook(*[_code("rent = 100")] * 200))
    assert "rent = 100" in document.text
    assert len(document.text) < 1000
    assert "more text than can be read" in document.partial


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b"{}", b'{"cells": 1}', b"[" * 100_000, b'{"cells": [%s]}' % (b"9" * 9999)]
)
def test_files_that_are_not_notebooks_are_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"not a notebook|is empty"):
        read_document("a.ipynb", data)


_JSON = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=5), st.sampled_from(["code", "markdown", "error", "stream"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["cell_type", "source", "outputs", "output_type", "data", "text/html", "text", "level"]),
            inner,
        ),
    ),
    max_leaves=12,
)


@given(_JSON)
def test_any_cell_becomes_a_sound_document_or_a_reason(cell: object) -> None:
    try:
        document = read_document("a.ipynb", _notebook(cell, _code("x")))
    except DocumentError:
        return
    assert document.line_count == document.text.count("\n") + 1
