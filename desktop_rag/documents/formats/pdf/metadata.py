"""Reads the metadata of a PDF: title, author, dates, language, table of contents."""

import math
import re
from typing import TYPE_CHECKING

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.documents.formats.pdf.line_classifier import HeadingEntry
from desktop_rag.documents.formats.pdf.open_pdf import mupdf_errors
from desktop_rag.documents.tags import listed_tags

if TYPE_CHECKING:
    import pymupdf

_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_NO_TITLE = re.compile(
    r"untitled|\(?(?:anonymous|unspecified|unknown)\)?$|[a-z]:\\|microsoft (?:word|powerpoint|excel) - "
    r"|\S+\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|qxd|pdf)$",
    re.I,
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")
_LABEL_FORMS = {"D": "decimal", "R": "upperRoman", "r": "lowerRoman", "A": "upperLetter", "a": "lowerLetter"}
_MAX_ENTRIES = 20_000
_MAX_METADATA = 1024 * 1024  # bytes
_DC = "{http://purl.org/dc/elements/1.1/}"
_XMP = "{http://ns.adobe.com/xap/1.0/}"
_TEX = re.compile(r"tex\b|dvips")


def read_metadata(file: "pymupdf.Document", builder: DocumentBuilder) -> None:
    """Set the metadata that is plausible; without a plausible title, the one found in the text is kept."""
    fields = {name: _plain(value or "") for name, value in (file.metadata or {}).items()}
    xmp = _read_xmp(file)
    titles = (fields.get("title", ""), xmp.get(f"{_DC}title", ""))
    builder.title = next((title for title in titles if _is_title(title)), builder.title)
    builder.author = fields.get("author", "") or xmp.get(f"{_DC}creator", "")
    builder.created = _day(fields.get("creationDate", "")) or xmp.get(f"{_XMP}CreateDate", "")[:10]
    builder.modified = _day(fields.get("modDate", "")) or xmp.get(f"{_XMP}ModifyDate", "")[:10]
    builder.tags += listed_tags(fields.get("keywords", ""))
    languages = (_catalog_language(file), xmp.get(f"{_DC}language", ""))
    builder.language = next((language for language in languages if _LANGUAGE.match(language)), "")


def outline_of(file: "pymupdf.Document") -> list[HeadingEntry]:
    """Return the entries of the table of contents that point to a page, in order."""
    entries: list[HeadingEntry] = []
    try:
        waiting = [(file.outline, 1)]
        for _ in range(_MAX_ENTRIES):
            if not waiting:
                break
            item, level = waiting.pop()
            if item is None or not item.this.m_internal:
                continue
            waiting.append((item.next, level))
            waiting.append((item.down, level + 1))
            title = _plain(item.title or "")
            if title and item.page is not None and item.page >= 0:
                entries.append(HeadingEntry(item.page + 1, level, title, item.y if math.isfinite(item.y) else None))
    except mupdf_errors():
        return entries
    return entries


def is_of_tex(file: "pymupdf.Document") -> bool:
    """Return whether TeX made a file, itself or by dvips."""
    made = file.metadata or {}
    names = f"{made.get('creator') or ''} {made.get('producer') or ''}".lower()
    return _TEX.search(names) is not None


def printed_labels(file: "pymupdf.Document") -> list[str]:
    """Return what is printed as the number of each page, iv or A-3; nothing if that is its number throughout."""
    try:
        rules = sorted(file.get_page_labels(), key=lambda rule: rule["startpage"])
    except mupdf_errors(ValueError, KeyError, TypeError, IndexError, AttributeError):
        return []
    labels: list[str] = []
    for number in range(file.page_count if rules else 0):
        rule = next((each for each in reversed(rules) if each["startpage"] <= number), None)
        if rule is None:
            labels.append(str(number + 1))
            continue
        form = _LABEL_FORMS.get(rule.get("style", ""), "")
        count = number - rule["startpage"] + rule.get("firstpagenum", 1)
        labels.append(_plain(f"{rule.get('prefix', '')}{format_number(count, form) if form else ''}"))
    return labels if any(label not in ("", str(number)) for number, label in enumerate(labels, 1)) else []


def _plain(text: str) -> str:
    return " ".join(clean(text).split())


def _is_title(title: str) -> bool:
    return not _NO_TITLE.match(title) and any(map(str.isalpha, title)) and "\ufffd" not in title


def _day(date: str) -> str:
    match = _DATE.match(date)
    return "-".join(filter(None, match.groups())) if match else ""


def _catalog_language(file: "pymupdf.Document") -> str:
    try:
        kind, value = file.xref_get_key(file.pdf_catalog(), "Lang")
    except mupdf_errors():
        return ""
    return value.strip() if kind == "string" else ""


def _read_xmp(file: "pymupdf.Document") -> dict[str, str]:
    """Return the fields of the XMP metadata, the first text of each."""
    from lxml import etree

    try:
        data = file.get_xml_metadata().encode("utf-8", "replace")
        if not data or len(data) > _MAX_METADATA:
            return {}
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except mupdf_errors(etree.XMLSyntaxError):
        return {}
    found: dict[str, str] = {}
    for element in root.iter(f"{_DC}*", f"{_XMP}*"):
        text = _plain(" ".join(map(str, element.itertext())))
        if text:
            found.setdefault(str(element.tag), text)
    for element in root.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description"):
        for name, value in element.attrib.items():
            found.setdefault(str(name), _plain(str(value)))
    return found
