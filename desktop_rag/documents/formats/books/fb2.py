"""Reads FictionBook files: their elements are renamed to HTML elements and read as a web page."""

import re
from types import MappingProxyType

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.books.chapters import ChapterEntry, ChapterList
from desktop_rag.documents.formats.office.package import parse_xml
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_text import HtmlTextExtractor
from desktop_rag.errors import DocumentError, ProblemKind

_PICTURES = re.compile(rb"<binary\b.*?</binary\s*>", re.S)
_HTML = MappingProxyType(
    {
        "section": "section",
        "subtitle": "h6",
        "epigraph": "blockquote",
        "cite": "blockquote",
        "annotation": "blockquote",
        "text-author": "p",
        "poem": "div",
        "stanza": "p",
        "v": "div",
        "date": "p",
        "emphasis": "em",
        "strong": "strong",
        "strikethrough": "del",
        "style": "span",
        "empty-line": "hr",
    }
)
_HREF = "{http://www.w3.org/1999/xlink}href"
_LOWEST = 5  # lowest level of a chapter heading; subtitles are one below


def read_fb2(source: SourceFile, kind: Format) -> Document:
    """Return the text of a FictionBook; raises `DocumentError` if it is damaged or has no text."""
    if source.data.startswith(b"PK"):
        raise DocumentError("This file is a ZIP archive; name it .fb2.zip to have it read.", ProblemKind.DAMAGED)
    root = parse_xml(_PICTURES.sub(b"", source.data))
    if root is None or _local(root) != "FictionBook":
        raise DocumentError("This file is damaged or not a FictionBook.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        _read_metadata(root, builder)
        entries: list[ChapterEntry] = []
        bodies = [body for body in root if _local(body) == "body"]
        for body in bodies:
            _rename(body, entries)
        contents = ChapterList(entries, builder)
        text = HtmlTextExtractor(builder, source.budget, on_anchor=contents.begin_at, keep_boilerplate=True)
        contents.begin_file("")
        for body in bodies:
            builder.add_blank()
            text.read(body)
    return builder.build("This e-book contains no text.")


def _rename(body: "etree._Element", entries: list[ChapterEntry]) -> None:
    """Rename the elements below `body` to HTML, and add an entry with an id for each chapter."""
    body.tag = "div"
    for element in body.iter("*"):
        name = _local(element)
        if name == "title":
            _rename_title(element, entries)
        elif name == "a":
            element.tag = "a"
            element.set("href", element.get(_HREF, ""))
            if element.get("type") == "note":
                element.set("style", "vertical-align: super")
        elif name != "body":
            element.tag = _HTML.get(name, name)


def _rename_title(title: "etree._Element", entries: list[ChapterEntry]) -> None:
    depth = sum(1 for _ in title.iterancestors("section"))
    level = min(_LOWEST, depth + 1)
    for line in title.iterchildren("*"):
        line.tag = "span"
        line.tail = f" {line.tail or ''}"
    words = " ".join("".join(str(text) for text in title.itertext()).split())
    title.tag = f"h{level}"
    if words and depth:  # the title of the body is that of the book
        title.set("id", f"title {len(entries)}")
        entries.append(ChapterEntry("", f"title {len(entries)}", depth, words))


def _read_metadata(root: "etree._Element", builder: DocumentBuilder) -> None:
    metadata = next((element for element in root.iter() if _local(element) == "title-info"), None)
    for element in metadata if metadata is not None else ():
        words = " ".join(" ".join(str(text) for text in element.itertext()).split())
        match _local(element):
            case "book-title":
                builder.title = words
            case "author":
                names = [(_local(part), (part.text or "").strip()) for part in element]
                name = " ".join(text for kind, text in names if text and kind.endswith("-name"))
                builder.author = ", ".join(part for part in (builder.author, name or words) if part)
            case "lang":
                builder.language = words
            case "date":
                builder.created = element.get("value", "") or words


def _local(element: "etree._Element") -> str:
    return str(element.tag).rpartition("}")[2]
