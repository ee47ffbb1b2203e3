"""Reads Jupyter notebooks cell by cell: Markdown, code and its outputs."""

import json
import re
from collections.abc import Iterator

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage
from desktop_rag.documents.formats.web.html_text import HtmlTextExtractor
from desktop_rag.errors import DocumentError, ProblemKind

_DAMAGED = "This file is damaged or not a notebook."
_OVERWRITTEN = re.compile(r"[^\n]*\r(?!\n)")  # overwritten states of a progress bar
_CHECKED_EVERY = 500  # lines


def read_notebook(source: SourceFile, kind: Format) -> Document:
    """Return the cells of a notebook, a section each; raises `DocumentError` if it is damaged or empty."""
    try:
        notebook = _fields(json.loads(decode(source.data)))
    except (ValueError, RecursionError) as error:
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED) from error
    if not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    metadata = _fields(notebook.get("metadata"))
    authors = (_text(_fields(author).get("name")) for author in _items(metadata.get("authors")))
    builder.author = ", ".join(author for author in authors if author)
    builder.title = _text(metadata.get("title"))
    with source.keep_partial(builder):
        writer = _Writer(builder, source)
        for number, cell in enumerate(_cells(notebook), start=1):
            builder.begin_section(f"Cell {number}", apart=True)
            writer.cell(cell)
    return builder.build("This notebook is empty.")


class _Writer:
    def __init__(self, builder: DocumentBuilder, source: SourceFile) -> None:
        self._builder = builder
        self._source = source

    def cell(self, cell: dict[str, object]) -> None:
        self._source.budget.check(self._builder.characters)
        kind = cell.get("cell_type")
        text = _text(cell.get("source", cell.get("input")))  # `input` up to version 3 of the format
        if kind == "heading":
            level = cell.get("level")
            self._builder.add(Line(clean(text), LineKind.HEADING, level if isinstance(level, int) and level > 0 else 1))
        elif kind == "code":
            self._lines(text, LineKind.CODE)
            for output in _items(cell.get("outputs")):
                self._output(_fields(output))
        elif kind == "markdown":
            self._markdown(text)
        else:
            self._lines(text, LineKind.PARAGRAPH)

    def _markdown(self, text: str) -> None:
        try:
            document = self._source.read_member("cell.md", text.encode("utf-8", "replace"))
        except DocumentError:  # blank
            return
        self._builder.include(document, self._builder.section)
        self._builder.title = self._builder.title or document.title

    def _output(self, output: dict[str, object]) -> None:
        kind = output.get("output_type")
        if kind == "stream":
            self._lines(_OVERWRITTEN.sub("", _text(output.get("text"))), LineKind.CODE, "Output:")
        elif kind in ("error", "pyerr"):
            message = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
            trace = [_text(line) for line in _items(output.get("traceback"))]
            self._lines("\n".join(trace) or message, LineKind.CODE, "Error:")
        else:
            self._data(_fields(output.get("data", output)))

    def _data(self, data: dict[str, object]) -> None:
        """Append the most informative text form of a result, or a note that it is a picture."""
        html = _text(data.get("text/html", data.get("html")))
        plain = _text(data.get("text/plain", data.get("text")))
        markdown = _text(data.get("text/markdown"))
        picture = next((form for form in data if form.startswith("image/") or form in ("png", "jpeg", "svg")), "")
        root = HtmlPage(html).root if "<table" in html or (html and not plain) else None
        if root is not None:
            self._label("Output:")
            HtmlTextExtractor(self._builder, self._source.budget, keep_boilerplate=True).read(root)
        elif markdown:
            self._label("Output:")
            self._markdown(markdown)
        elif picture:
            self._label(f"Output: a picture ({picture.removeprefix('image/').removesuffix('+xml')}) {plain}".strip())
        else:
            self._lines(plain or _text(data.get("text/latex")), LineKind.CODE, "Output:")

    def _label(self, label: str) -> None:
        self._builder.add_blank()
        self._builder.add(Line(clean(label)))

    def _lines(self, text: str, kind: LineKind, label: str = "") -> None:
        if not text.strip():
            return
        if label:
            self._label(label)
        for number, line in enumerate(clean(text).strip("\n").split("\n")):
            if number % _CHECKED_EVERY == 0:
                self._source.budget.check(self._builder.characters)
            self._builder.add(Line(line.rstrip(), kind if line.strip() else LineKind.BLANK))


def _cells(notebook: dict[str, object]) -> Iterator[dict[str, object]]:
    for sheet in _items(notebook.get("worksheets")):
        yield from (_fields(cell) for cell in _items(_fields(sheet).get("cells")))
    yield from (_fields(cell) for cell in _items(notebook.get("cells")))


def _text(value: object) -> str:
    """Return a string value, which may be stored as a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _fields(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []
