"""Reads the words of drawings: SVG, Visio (.vsdx), Dia, draw.io and Xournal++; a section for each of their pages."""

import base64
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from lxml import etree

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.equations import equation
from desktop_rag.documents.formats.inline_text import InlineText, append_paragraph, append_words, comment_label
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.documents.formats.office.hidden.hidden_shapes import Surface
from desktop_rag.documents.formats.office.package import (
    NO_TEXT,
    Package,
    Relation,
    build,
    inner_text,
    local_name,
    parse_xml,
    plain_xml,
)
from desktop_rag.documents.formats.office.sheet_lines import has_letters, spread
from desktop_rag.documents.formats.office.symbol_fonts import is_symbol_font, symbols_drawn
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage
from desktop_rag.errors import DocumentError, ProblemKind

# Reads DrawingML text: paragraphs and tables on slides, in diagrams and in charts.

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
DATA_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"  # of the part with a diagram's text

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_EQUATION = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_PARAGRAPH, _TEXT, _BREAK = f"{A}p", f"{A}t", f"{A}br"
_RUNS = frozenset((f"{A}r", f"{A}fld"))
_FORMS = {
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "arabic": "decimal",
}
_PUNCTUATION = {"ParenBoth": ("(", ")"), "ParenR": ("", ")"), "Period": ("", "."), "Plain": ("", "")}
_AXES = tuple(f"{_C}{name}" for name in ("catAx", "dateAx", "valAx", "serAx"))
_ON = ("1", "true")
_MAX_POINTS = 10_000  # per chart
_SEEN = Surface()


def read_paragraph(
    paragraph: "etree._Element", inline: InlineText, relations: Mapping[str, Relation], surface: Surface = _SEEN
) -> None:
    """Append the text of one paragraph with its links and emphasis to `inline`."""
    for child in paragraph:
        if child.tag in _RUNS:
            properties = child.find(f"{A}rPr")
            text = child.find(_TEXT)
            if text is not None:
                hidden = surface.hides(properties)
                words, target = _drawn(text.text or "", properties), _target(properties, relations)
                inline.add(words, _kinds(properties), target, hidden=hidden)
        elif child.tag == _BREAK:
            inline.break_line()
        elif child.tag == _EQUATION:
            inline.keep_apart()
            inline.add(equation(child))
            inline.keep_apart()
        elif len(child):
            read_paragraph(child, inline, relations, surface)


def append_paragraphs(
    builder: DocumentBuilder,
    text: "etree._Element",
    relations: Mapping[str, Relation],
    surface: Surface,
    *,
    bulleted: bool,
) -> None:
    """Append the paragraphs of a shape; in a `bulleted` one they are list items by default."""
    counts: dict[int, int] = {}
    for paragraph in text.iterchildren(_PARAGRAPH):
        inline = InlineText()
        read_paragraph(paragraph, inline, relations, surface)
        if not inline.lines():
            continue
        level, label = _item(paragraph.find(f"{A}pPr"), counts, bulleted=bulleted)
        append_paragraph(
            builder, inline, LineKind.ITEM if label else LineKind.PARAGRAPH, level + 1 if label else 0, label
        )


def text_of(element: "etree._Element", relations: Mapping[str, Relation], surface: Surface = _SEEN) -> str:
    """Return all text below `element` as one line."""
    inline = InlineText()
    for paragraph in element.iter(_PARAGRAPH):
        inline.break_line()
        read_paragraph(paragraph, inline, relations, surface)
    return inline.text()


def append_table(
    builder: DocumentBuilder, table: "etree._Element", relations: Mapping[str, Relation], surface: Surface
) -> None:
    """Append a table on a slide as rows."""
    properties = table.find(f"{A}tblPr")
    has_header = properties is not None and properties.get("firstRow") in ("1", "true")
    builder.add_blank()
    above: list[str] = []
    for number, row in enumerate(table.iterchildren(f"{A}tr")):
        cells: list[tuple[str, int]] = []
        for column, cell in enumerate(row.iterchildren(f"{A}tc")):
            if cell.get("hMerge") not in _ON:
                is_below = cell.get("vMerge") in _ON and column < len(above)
                width = cell.get("gridSpan", "1")
                text = above[column] if is_below else text_of(cell, relations, surface)
                cells.append((text, min(int(width), 100) if width.isdecimal() else 1))
        texts = spread(cells)
        above = [text if has_letters(text) else "" for text in texts]
        if any(texts):
            builder.add_row(texts, header=has_header and number == 0)
    builder.add_blank()


def append_diagram(builder: DocumentBuilder, data: "etree._Element", relations: Mapping[str, Relation]) -> None:
    """Append the texts of a diagram as list items."""
    for paragraph in data.iter(_PARAGRAPH):
        inline = InlineText()
        read_paragraph(paragraph, inline, relations)
        append_paragraph(builder, inline, LineKind.ITEM, 1, "•")


def append_chart(builder: DocumentBuilder, chart: "etree._Element") -> None:
    """Append the titles of a chart and of its axes, and its data as table rows."""
    title = chart.find(f"{_C}chart/{_C}title")
    axes = {
        axis.tag: text_of(named, {}) for axis in chart.iter(*_AXES) if (named := axis.find(f"{_C}title")) is not None
    }
    across = axes.pop(f"{_C}catAx", "") or axes.pop(f"{_C}dateAx", "")
    for words in (text_of(title, {}) if title is not None else "", *axes.values()):
        append_words(builder, words, LineKind.PARAGRAPH)
    names: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for series in chart.iter(f"{_C}ser"):
        named = series.find(f"{_C}tx")
        typed = named.findtext(f"{_C}v", "") if named is not None else ""
        names.append(typed or " ".join(_points(named).values()))
        for tag in ("cat", "xVal"):
            categories = categories or _categories(series.find(f"{_C}{tag}"))
        columns.append(_points(series.find(f"{_C}val")) or _points(series.find(f"{_C}yVal")))
    builder.add_blank()
    if any(names) or across:
        builder.add_row([across, *names], header=any(names))
    for index in sorted({index for column in (categories, *columns) for index in column})[:_MAX_POINTS]:
        builder.add_row([categories.get(index, ""), *(column.get(index, "") for column in columns)])
    builder.add_blank()


def _categories(parent: "etree._Element | None") -> dict[int, str]:
    """Return the category names by index; multi-level names are joined from the highest level down."""
    levels = [_points(level) for level in parent.iter(f"{_C}lvl")] if parent is not None else []
    if not levels:
        return _points(parent)
    lowest, *higher = levels
    return {
        index: " ".join(
            [level[max(known)] for level in reversed(higher) if (known := [i for i in level if i <= index])] + [name]
        )
        for index, name in lowest.items()
    }


def _points(parent: "etree._Element | None") -> dict[int, str]:
    found: dict[int, str] = {}
    for point in parent.iter(f"{_C}pt") if parent is not None else ():
        value, index = point.find(f"{_C}v"), point.get("idx", "")
        if value is not None and index.isdecimal():
            found[int(index)] = value.text or ""
    return found


def _item(properties: "etree._Element | None", counts: dict[int, int], *, bulleted: bool) -> tuple[int, str]:
    """Return the depth of a paragraph and its bullet or number; advances `counts`."""
    if properties is None:
        return 0, "•" if bulleted else ""
    depth = properties.get("lvl", "0")
    level = min(int(depth), 8) if depth.isdecimal() else 0
    for deeper in [one for one in counts if one > level]:
        del counts[deeper]
    numbered = properties.find(f"{A}buAutoNum")
    if numbered is not None:
        start = numbered.get("startAt", "1")
        counts[level] = counts.get(level, int(start) - 1 if start.isdecimal() else 0) + 1
        return level, _numbered(counts[level], numbered.get("type", ""))
    counts.pop(level, None)
    if properties.find(f"{A}buNone") is not None:
        return level, ""
    marked = bulleted or properties.find(f"{A}buChar") is not None or properties.find(f"{A}buBlip") is not None
    return level, "•" if marked else ""


def _numbered(number: int, scheme: str) -> str:
    form = next((form for name, form in _FORMS.items() if scheme.startswith(name)), "decimal")
    before, after = next((marks for name, marks in _PUNCTUATION.items() if scheme.endswith(name)), ("", "."))
    return f"{before}{format_number(number, form)}{after}"


def _kinds(properties: "etree._Element | None") -> tuple[MarkKind, ...]:
    if properties is None:
        return ()
    named = (("b", MarkKind.STRONG), ("i", MarkKind.EMPHASIS))
    kinds = [kind for name, kind in named if properties.get(name) in ("1", "true")]
    if (baseline := properties.get("baseline", "0").removesuffix("%")) not in ("0", ""):
        kinds.append(MarkKind.SUBSCRIPT if baseline.startswith("-") else MarkKind.SUPERSCRIPT)
    if properties.get("strike", "noStrike") != "noStrike":
        kinds.append(MarkKind.STRIKETHROUGH)
    return tuple(kinds)


def _drawn(text: str, properties: "etree._Element | None") -> str:
    """Return the text of a run, in a font of symbols as what it shows.

    Words written after a symbol often keep its font for symbols (`sym`), but are not drawn in it.
    """
    if properties is None:
        return text
    for name in ("latin", "sym"):
        font = properties.find(f"{A}{name}")
        face = font.get("typeface", "") if font is not None else ""
        if is_symbol_font(face):
            is_word = name == "sym" and any(char.isascii() and char.isalnum() for char in text)
            return text if is_word else symbols_drawn(text, face)
    return text


def _target(properties: "etree._Element | None", relations: Mapping[str, Relation]) -> str:
    link = properties.find(f"{A}hlinkClick") if properties is not None else None
    relation = relations.get(link.get(RELATION_ID, "")) if link is not None else None
    return relation.target if relation is not None and relation.outside else ""


_V = "{http://schemas.microsoft.com/office/visio/2012/main}"
_SVG_BLOCKS = frozenset(("text", "flowPara", "desc", "p", "div", "li", "h1", "h2", "h3", "td"))
_SVG_SKIPPED = frozenset(("script", "style", "metadata", "namedview"))
_LINE_STARTS = ("y", "dy")  # attributes of a tspan that begins a line
_DIA_TEXTS = frozenset(("string", "text", "name", "comment", "type", "value", "stereotype"))


def read_drawing(source: SourceFile, kind: Format) -> Document:
    """Return the words of a drawing; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    if source.data.startswith(file_types.ZIP):
        package = Package(source, "a Visio drawing")
        with source.keep_partial(builder):
            _read_visio(package, source, builder)
        return build(package, builder)
    with source.keep_partial(builder):
        root = plain_xml(source, "a drawing")
        for words, line_kind, level in _READERS.get(local_name(root), _svg_words)(root, source, builder):
            source.budget.check(builder.characters)
            append_words(builder, words, line_kind, level)
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
        builder.begin_section(name, apart=True)
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
    except ValueError:
        return None
    text = source.budget.inflated(data)
    source.budget.count_unpacked(len(text), len(data))
    return parse_xml(unquote(text.decode("utf-8", "replace")).encode())


def _xournal_words(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> _Words:
    for number, page in enumerate(root.iter("page"), start=1):
        source.budget.check(builder.characters)
        builder.begin_section(f"Page {number}", apart=True)
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
    for page in pages.iter(f"{_V}Page"):
        link = next(page.iter(f"{_V}Rel"), None)
        root = package.linked("visio/pages/pages.xml", link.get(RELATION_ID)) if link is not None else None
        if root is None:
            continue
        name = _one_line(page.get("Name") or page.get("NameU") or "Page")
        builder.begin_section(name, apart=True)
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
