"""Reads the words of drawings: SVG, Visio (.vsdx), Dia, draw.io and Xournal++; a section for each of their pages."""

import base64
import binascii
import zlib
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from desktop_rag.documents import file_signatures
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_words, comment_label
from desktop_rag.documents.formats.office.drawn_text import RELATION_ID
from desktop_rag.documents.formats.office.package import (
    NO_TEXT,
    Package,
    build,
    inner_text,
    local_name,
    nesting_limit,
    parse_xml,
    plain_xml,
)
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage
from desktop_rag.errors import DocumentError, ProblemKind

_V = "{http://schemas.microsoft.com/office/visio/2012/main}"
_SVG_BLOCKS = frozenset(("text", "flowPara", "desc", "p", "div", "li", "h1", "h2", "h3", "td"))
_SVG_SKIPPED = frozenset(("script", "style", "metadata", "namedview"))
_LINE_STARTS = ("y", "dy")  # attributes of a tspan that begins a line
_DIA_TEXTS = frozenset(("string", "text", "name", "comment", "type", "value", "stereotype"))


def read_drawing(source: SourceFile, kind: Format) -> Document:
    """Return the words of a drawing; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    if source.data.startswith(file_signatures.ZIP):
        package = Package(source, "a Visio drawing")
        with source.keep_partial(builder):
            _read_visio(package, source, builder)
        return build(package, builder)
    with source.keep_partial(builder):
        root = plain_xml(source, "a drawing")
        try:
            for words, line_kind, level in _READERS.get(local_name(root), _svg_words)(root, source, builder):
                source.budget.check(builder.characters)
                append_words(builder, words, line_kind, level)
        except RecursionError as error:
            raise nesting_limit(error) from error
    return builder.build(NO_TEXT)


_Words = Iterator[tuple[str, LineKind, int]]


def _svg_words(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> _Words:
    if local_name(root) != "svg":
        raise DocumentError("This file is damaged or not a drawing.", ProblemKind.DAMAGED)
    waiting = [root]
    while waiting:
        element = waiting.pop()
        source.budget.check(builder.characters)
        name = local_name(element)
        if name == "title" and element.getparent() is root:
            builder.title = _one_line(inner_text(element))
            yield builder.title, LineKind.HEADING, 1
        elif name in ("title", *_SVG_BLOCKS):
            for line in _svg_lines(element):
                yield line, LineKind.PARAGRAPH, 0
        elif name not in _SVG_SKIPPED:
            waiting.extend(reversed(element))


def _svg_lines(element: "etree._Element") -> list[str]:
    """Return the lines of a text: a piece with a height of its own begins one."""
    lines = [element.text or ""]
    for child in element.iterdescendants():
        name = local_name(child)
        starts = name == "br" or (name in ("tspan", "p", "div") and any(child.get(key) for key in _LINE_STARTS))
        inner = (child.text or "") if name else ""
        if starts or name in ("p", "div", "li"):
            lines.append(inner)
        else:
            lines[-1] += inner
        lines[-1] += child.tail or ""
    return [line for line in map(_one_line, lines) if line]


def _dia_words(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> _Words:
    for text in root.iter("{*}string"):
        source.budget.check(builder.characters)
        parent = text.getparent()
        if (
            parent is not None
            and parent.get("name") in _DIA_TEXTS
            and any(True for _ in text.iterancestors("{*}layer"))
        ):
            words = (text.text or "").strip().removeprefix("#").removesuffix("#")
            for line in words.split("\n"):
                yield line, LineKind.PARAGRAPH, 0


def _drawio_words(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> _Words:
    for number, page in enumerate(root.iter("diagram"), start=1):
        name = _one_line(page.get("name", "")) or f"Page {number}"
        builder.add_blank()
        builder.begin_section(name)
        yield name, LineKind.HEADING, 1
        graph = page if len(page) else _unpacked_page(page.text or "", source)
        if graph is not None:
            yield from _cells(graph, source, builder)


def _cells(graph: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> _Words:
    for cell in graph.iter("mxCell", "object", "UserObject"):
        source.budget.check(builder.characters)
        words = cell.get("value") or cell.get("label") or ""
        if "<" in words or "&" in words:
            page = HtmlPage(words.replace("<br", " <br").replace("</div", " </div")).root
            words = inner_text(page) if page is not None else ""
        yield words, LineKind.PARAGRAPH, 0


def _unpacked_page(packed: str, source: SourceFile) -> "etree._Element | None":
    """Return a page that draw.io stored compressed: URL-quoted, deflated, in Base64."""
    try:
        data = base64.b64decode(packed)
        limit = source.budget.unpacked_allowance(len(data))
        text = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, max(1, limit))
    except (binascii.Error, zlib.error, ValueError):
        return None
    source.budget.count_unpacked(len(text), len(data))
    return parse_xml(unquote(text.decode("utf-8", "replace")).encode())


def _xournal_words(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> _Words:
    for number, page in enumerate(root.iter("page"), start=1):
        source.budget.check(builder.characters)
        builder.add_blank()
        builder.begin_section(f"Page {number}")
        for text in page.iter("text"):
            for line in (text.text or "").split("\n"):
                yield line, LineKind.PARAGRAPH, 0


_READERS = {
    "diagram": _dia_words,
    "mxfile": _drawio_words,
    "mxGraphModel": _cells,
    "xournal": _xournal_words,
}


def _read_visio(package: Package, source: SourceFile, builder: DocumentBuilder) -> None:
    package.read_metadata(builder)
    pages = package.required_xml("visio/pages/pages.xml")
    relations = package.relations("visio/pages/pages.xml")
    for page in pages.iter(f"{_V}Page"):
        relation = next((relations.get(link.get(RELATION_ID, "")) for link in page.iter(f"{_V}Rel")), None)
        root = package.xml(relation.target) if relation is not None and not relation.outside else None
        if root is None:
            continue
        name = _one_line(page.get("Name") or page.get("NameU") or "Page")
        builder.add_blank()
        builder.begin_section(name)
        append_words(builder, name, LineKind.HEADING, 1)
        for text in root.iter(f"{_V}Text"):
            source.budget.check(builder.characters)
            for line in inner_text(text).split("\n"):
                append_words(builder, line, LineKind.PARAGRAPH)
    comments = package.xml("visio/comments.xml")
    for comment in comments.iter(f"{_V}CommentEntry") if comments is not None else ():
        append_words(builder, inner_text(comment), LineKind.QUOTE, 1, comment_label(""))


def _one_line(text: str) -> str:
    return " ".join(text.split())
