"""Reads presentations (.pptx): each slide is a section, its title first, its notes and comments last."""

from collections.abc import Iterator, Mapping

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import (
    HIDDEN_PART,
    InlineText,
    append_paragraph,
    append_words,
    comment_label,
)
from desktop_rag.documents.formats.office.drawings import (
    CHART,
    DATA_ID,
    DIAGRAM,
    RELATION_ID,
    A,
    append_chart,
    append_diagram,
    append_paragraphs,
    append_table,
    read_paragraph,
    text_of,
)
from desktop_rag.documents.formats.office.hidden.hidden_shapes import Shapes, SlideSurfaces, Surface
from desktop_rag.documents.formats.office.package import Package, Relation, append_embedded, build
from desktop_rag.documents.formats.source_file import SourceFile

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_TITLES = ("title", "ctrTitle")
_BULLETED = ("body", "obj")  # placeholders whose paragraphs are bulleted by default
_REPEATED = ("sldNum", "dt", "ftr", "hdr", "sldImg")  # placeholders repeated on every slide


def read_pptx(source: SourceFile, kind: Format) -> Document:
    """Return the text of a .pptx file, a section for each slide in presentation order."""
    package = Package(source, "a presentation")
    part = next(iter(package.related("", "officeDocument")), "ppt/presentation.xml")
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        root = package.required_xml(part)
        package.read_metadata(builder)
        relations = package.relations(part)
        size, layouts = _slide_size(root), dict[str, Shapes]()
        for number, slide in enumerate(root.iter(f"{_P}sldId"), start=1):
            source.budget.check(builder.characters)
            relation = relations.get(slide.get(RELATION_ID, ""))
            if relation is None:
                continue
            _Slide(package, relation.target, builder).read(number, size, layouts)
            append_embedded(package, package.relations(relation.target).values(), builder, source)
    return build(package, builder)


class _Slide:
    def __init__(self, package: Package, part: str, builder: DocumentBuilder) -> None:
        self._package = package
        self._part = part
        self._builder = builder
        self._relations: Mapping[str, Relation] = package.relations(part)

    def read(self, number: int, size: tuple[int, int], layouts: dict[str, Shapes]) -> None:
        root = self._package.xml(self._part)
        if root is None:
            return
        self._builder.begin_section(
            f"Slide {number}" + (HIDDEN_PART if root.get("show") in ("0", "false") else ""), apart=True
        )
        shapes = list(_shapes(root))
        surfaces = SlideSurfaces(self._package, self._part, root, size, layouts)
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
        for shape in titles:
            title = append_words(
                self._builder, text_of(shape, self._relations, surfaces.of(shape)), LineKind.HEADING, 2
            )
            self._builder.title = self._builder.title or title
        for shape in shapes:
            if shape not in titles:
                self._shape(shape, surfaces.of(shape))
        self._notes_and_comments()

    def _shape(self, shape: "etree._Element", surface: Surface) -> None:
        placeholder = _placeholder(shape)
        if placeholder in _REPEATED:
            return
        text = shape.find(f"{_P}txBody")
        if text is not None:
            append_paragraphs(self._builder, text, self._relations, surface, bulleted=placeholder in _BULLETED)
        for table in shape.iter(f"{A}tbl"):
            append_table(self._builder, table, self._relations, surface)
        for chart in shape.iter(CHART):
            if (root := self._package.linked(self._part, chart.get(RELATION_ID))) is not None:
                append_chart(self._builder, root)
        for diagram in shape.iter(DIAGRAM):
            if (root := self._package.linked(self._part, diagram.get(DATA_ID))) is not None:
                append_diagram(self._builder, root, self._relations)
        described = next(shape.iter(f"{_P}cNvPr"), None)
        if text is None and described is not None and (shown := " ".join(described.get("descr", "").split())):
            append_words(self._builder, f"[{shown}]", LineKind.PARAGRAPH)

    def _paragraphs(self, parent: "etree._Element", kind: LineKind, label: str) -> None:
        for paragraph in parent.iter(f"{A}p"):
            inline = InlineText()
            read_paragraph(paragraph, inline, self._relations)
            append_paragraph(self._builder, inline, kind, 1, label)

    def _notes_and_comments(self) -> None:
        """Append the speaker notes and comments."""
        for relation in self._relations.values():
            root = self._package.xml(relation.target) if relation.kind in ("notesSlide", "comments") else None
            if root is None:
                continue
            if relation.kind == "notesSlide":
                for shape in _shapes(root):
                    if _placeholder(shape) == "body":
                        self._paragraphs(shape, LineKind.QUOTE, "Notes:")
                continue
            for text in root.iter(f"{_P}text"):
                append_words(self._builder, text.text or "", LineKind.QUOTE, 1, comment_label(""))
            self._paragraphs(root, LineKind.QUOTE, comment_label(""))


def _slide_size(root: "etree._Element") -> tuple[int, int]:
    """Return width and height of all slides, 0 if they are not given."""
    size = root.find(f"{_P}sldSz")
    width, height = (size.get(name, "") if size is not None else "" for name in ("cx", "cy"))
    return (int(width), int(height)) if width.isdecimal() and height.isdecimal() else (0, 0)


def _shapes(root: "etree._Element") -> "Iterator[etree._Element]":
    """Yield the shapes of a slide in reading order, including those in groups."""
    tree = next(root.iter(f"{_P}spTree"), None)
    return _members(tree) if tree is not None else iter(())


def _members(group: "etree._Element") -> "Iterator[etree._Element]":
    for child in group:
        if child.tag == f"{_P}grpSp":
            yield from _members(child)
        elif child.tag == _ALTERNATIVES:
            yield from next((found for choice in child if (found := list(_members(choice)))), [])
        elif child.tag in (f"{_P}sp", f"{_P}graphicFrame", f"{_P}pic", f"{_P}cxnSp"):
            yield child


def _placeholder(shape: "etree._Element") -> str:
    """Return the type of a shape's placeholder, or an empty string if it is not a placeholder."""
    placeholder = next(shape.iter(f"{_P}ph"), None)
    return placeholder.get("type", "obj") if placeholder is not None else ""
