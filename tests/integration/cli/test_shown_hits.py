"""Hits and answers of the Python API as a notebook shows them: nothing of a document lives there."""

import re
from pathlib import Path

import pytest

from desktop_rag import Library
from desktop_rag.python_api.api_values import PassageHits, answer_html, hits_html

pytestmark = pytest.mark.processes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("> The *rent*. [1](cite:1)", "<blockquote>\n<p>The <em>rent</em>. <sup>[1]</sup></p>\n</blockquote>"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "<td>1</td>"),
        ("[click](https://evil.example) ![x](https://evil.example/x.png)", "[click](https://evil.example) !["),
        ("<img src=x onerror=alert(1)> <https://evil.example>", "&lt;img src=x onerror=alert(1)&gt; &lt;https"),
        ("[a]\n\n[a]: javascript:alert(1)", "[a]: javascript"),
        ("```html\n<script>\n```", "&lt;script&gt;"),
    ],
)
def test_an_answer_in_a_notebook_is_rendered_and_nothing_in_it_lives(text: str, shown: str) -> None:
    html = answer_html(text, ())
    assert shown in html
    assert not re.search(r"<(?:a|img|script|iframe)\b", html)


def test_code_keeps_its_lines_in_a_notebook() -> None:
    html = hits_html("rent", [(Path("code.py"), None, 1, 2, "def rent(x):\n    if x:", ((4, 8),))])
    assert '<div style="white-space: pre-wrap">def <mark>rent</mark>(x):\n    if x:</div>' in html


def test_what_a_document_says_is_escaped_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    hostile = tmp_path / "documents" / "<img src=x onerror=alert(1)>&.txt"
    hostile.parent.mkdir()
    hostile.write_text('The <script>alert("rent")</script> is 900 euros a month.\n')
    with Library.open() as library:
        library.add(hostile.parent)
        library.sync()
        hits = library.search("euros")
        answer = library.ask("How many euros a month?", profile="built-in").answer()
    assert hits[0].path == hostile
    assert answer.citations
    for shown in (
        hits._repr_html_(),
        hits[0]._repr_html_(),
        answer._repr_html_(),
        PassageHits("<script>", ())._repr_html_(),
    ):
        assert "<script" not in shown
        assert "<img" not in shown
    assert "<mark>euros</mark>" in hits._repr_html_()
    assert "<mark>euros</mark>" in hits[0]._repr_html_()
    assert "<blockquote>" in answer._repr_html_()
    assert "<sup>[1]</sup>" in answer._repr_html_()
