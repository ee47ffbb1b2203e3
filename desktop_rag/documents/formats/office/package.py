"""Opens the ZIP package of office files and e-books, within the limits of one file.

Packages are untrusted: sizes are checked before a part is unpacked, no more than the declared bytes are
read, entities are never resolved and nothing is fetched.
"""

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import olefile
from lxml import etree

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.decoding.charsets import codec_name
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats.office.odf_styles import OFFICE, STYLE, TEXT
from desktop_rag.documents.formats.source_file import BROKEN, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Turns the XML of OpenOffice.org 1 (.sxw, .sxc, .sxi, .sxd) into the OpenDocument that grew out of it.

_NAMESPACES = re.compile(rb"http://openoffice\.org/2000/(\w+)")
_FORMATTING = b"http://www.w3.org/1999/XSL/Format"
_KIND = f"{OFFICE}class"
_RENAMED = {
    f"{TEXT}unordered-list": f"{TEXT}list",
    f"{TEXT}ordered-list": f"{TEXT}list",
    f"{TEXT}footnote": f"{TEXT}note",
    f"{TEXT}footnote-citation": f"{TEXT}note-citation",
    f"{TEXT}footnote-body": f"{TEXT}note-body",
    f"{TEXT}endnote": f"{TEXT}note",
    f"{TEXT}endnote-citation": f"{TEXT}note-citation",
    f"{TEXT}endnote-body": f"{TEXT}note-body",
    f"{TEXT}tab-stop": f"{TEXT}tab",
    f"{STYLE}properties": f"{STYLE}text-properties",
}
_CREATOR = "{http://purl.org/dc/elements/1.1/}creator"


def to_open_document(data: bytes) -> bytes:
    """Return the XML with OpenDocument's namespaces."""
    data = _NAMESPACES.sub(rb"urn:oasis:names:tc:opendocument:xmlns:\1:1.0", data)
    return data.replace(_FORMATTING, b"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0")


def modernise(content: "etree._Element") -> None:
    """Rename what OpenDocument names otherwise, if `content` is of OpenOffice.org 1: its root names its class."""
    body, kind = content.find(f"{OFFICE}body"), content.get(_KIND, "")
    if body is None or not kind:
        return
    for element in content.iter(*_RENAMED, f"{TEXT}h", f"{OFFICE}annotation"):
        if element.tag == f"{TEXT}h":
            element.set(f"{TEXT}outline-level", element.get(f"{TEXT}level", "1"))
        elif element.tag == f"{OFFICE}annotation":
            etree.SubElement(element, _CREATOR).text = element.get(f"{OFFICE}author", "")
        else:
            if element.tag == f"{TEXT}endnote":
                element.set(f"{TEXT}note-class", "endnote")
            element.tag = _RENAMED[element.tag]
    inner = etree.Element(f"{OFFICE}{'text' if kind == 'text-global' else kind}")
    inner.extend(list(body))
    body.append(inner)


PROTECTED = "This file is protected by a password."
NO_TEXT = "This file contains no text."

_LARGEST_PART = 64 * 1024 * 1024  # bytes of XML; its tree takes about ten times as much
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_GZIP = b"\x1f\x8b"
_HEAD = 16_384  # bytes in which the root element declares its namespaces
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_KEYWORDS = (
    "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}keywords",
    "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}keyword",
)
_NO_TITLE = re.compile(
    r"untitled|word document|(?:power ?point )?pr[äe]sentation|microsoft \w+ - .*|\S+\.\w{3,4}$", re.I
)
_BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    EOFError,
    OSError,
    ValueError,
    LookupError,
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship of a part: the last component of its type, and its target, a part or an external address."""

    kind: str
    target: str
    outside: bool


class Package:
    """The parts of an office file; `what` names such a file in error messages, “a presentation”."""

    def __init__(self, source: SourceFile, what: str) -> None:
        self._budget = source.budget
        self._damaged = f"This file is damaged or not {what}."
        if source.data.startswith(file_types.OLE):
            if is_encrypted(source.data):
                raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
            raise DocumentError(self._damaged, ProblemKind.DAMAGED)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
        except _BROKEN_ZIP as error:
            raise DocumentError(self._damaged, ProblemKind.DAMAGED) from error
        self._parts = {info.filename.replace("\\", "/").lower(): info for info in self._zip.infolist()}
        self._relations: dict[str, dict[str, Relation]] = {}
        self._shared: dict[str, etree._Element | None] = {}
        self.truncation: tuple[str, ProblemKind] | None = None

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def names(self) -> list[str]:
        """Return the names of all parts."""
        return [info.filename for info in self._parts.values()]

    def mark(self, builder: DocumentBuilder) -> None:
        """Record in a document that a part was truncated, unless more is known to be missing."""
        if self.truncation and not builder.partial:
            builder.leave_out(*self.truncation)

    def read(self, name: str, limit: int = _LARGEST_PART) -> bytes:
        """Return the first `limit` bytes of a part, empty if it is missing or damaged."""
        info = self._parts.get(name.replace("\\", "/").lower())
        if info is None:
            return b""
        self._budget.count_unpacked(min(info.file_size, limit), info.compress_size)
        if info.file_size > limit:
            self.truncation = "This file is very large; the rest of it was left out.", ProblemKind.LIMIT
        try:
            with self._zip.open(info) as part:
                return part.read(limit)
        except RuntimeError as error:
            if info.flag_bits & 1:
                raise DocumentError(PROTECTED, ProblemKind.PROTECTED) from error
        except _BROKEN_ZIP:
            pass
        self.truncation = "A part of this file is damaged and was left out.", ProblemKind.DAMAGED
        return b""

    def xml(self, name: str) -> "etree._Element | None":
        """Return the root of a part, parsed as far as possible, or None."""
        return parse_xml(self.read(name))

    def shared_xml(self, name: str) -> "etree._Element | None":
        """Return the root of a part that several others refer to: it is parsed once."""
        if name not in self._shared:
            self._shared[name] = self.xml(name)
        return self._shared[name]

    def required_xml(self, name: str) -> "etree._Element":
        """Return the root of a required part; raises `DocumentError` if it is missing."""
        root = self.xml(name)
        if root is None:
            raise DocumentError(self._damaged, ProblemKind.DAMAGED)
        return root

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relationships of `part` (empty for the package itself) by id; they are parsed once."""
        if part in self._relations:
            return self._relations[part]
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found = self._relations[part] = {}
        for element in root.iter(_RELATIONSHIP) if root is not None else ():
            target = element.get("Target", "")
            outside = element.get("TargetMode") == "External"
            if not outside:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[element.get("Id", "")] = Relation(posixpath.basename(element.get("Type", "")), target, outside)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Return the targets inside the package of the relationships of `part` with this kind."""
        return [one.target for one in self.relations(part).values() if one.kind == kind and not one.outside]

    def first(self, part: str, kind: str) -> "etree._Element | None":
        """Return the root of the first part that is related to `part` in this way, or None."""
        return self.xml(next(iter(self.related(part, kind)), ""))

    def linked(self, part: str, identifier: str | None) -> "etree._Element | None":
        """Return the root of the part to which a relationship of `part` leads, or None."""
        relation = self.relations(part).get(identifier or "")
        return self.xml(relation.target) if relation is not None and not relation.outside else None

    def read_metadata(self, builder: DocumentBuilder) -> None:
        """Set title, author, dates and language from the core properties of the package."""
        named = [*self.related("", "core-properties"), "docProps/core.xml"]
        root = self.xml(named[0])
        if root is not None:
            read_dublin_core(builder, root, created=f"{_TERMS}created", modified=f"{_TERMS}modified")


def plain_xml(source: SourceFile, what: str) -> "etree._Element":
    """Return the root of a file that is one XML document, gzipped or not; raises `DocumentError`."""
    data = source.data
    if data.startswith(_GZIP):
        from desktop_rag.documents.formats.containers.streams import unpack_compressed

        data, _ = unpack_compressed(source, _LARGEST_PART)
    root = parse_xml(data)
    if root is None:
        raise DocumentError(f"This file is damaged or not {what}.", ProblemKind.DAMAGED)
    return root


def local_name(element: "etree._Element") -> str:
    """Return the name of an element without its namespace; empty for entities, which are never resolved."""
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def inner_text(element: "etree._Element") -> str:
    """Return all text below an element."""
    return "".join(map(str, element.itertext()))


def read_dublin_core(builder: DocumentBuilder, root: "etree._Element", *, created: str, modified: str) -> None:
    """Set the metadata from the Dublin Core elements below `root`; `created` and `modified` are tags."""

    def value(tag: str) -> str:
        element = next(root.iter(tag), None)
        return " ".join((element.text or "").split()) if element is not None else ""

    title = value(f"{_DC}title")
    builder.title = "" if _NO_TITLE.fullmatch(title) else title
    builder.author = value(f"{_DC}creator")
    builder.created = value(created)[:19]
    builder.modified = value(modified)[:19]
    builder.language = value(f"{_DC}language")
    for element in root.iter(*_KEYWORDS):  # OpenDocument has an element for each
        builder.tags += listed_tags(element.text or "")


def parse_xml(data: bytes) -> "etree._Element | None":
    """Return the root of untrusted XML, parsed as far as possible; no entity is resolved, nothing is fetched."""
    if not data:
        return None
    if b"purl.oclc.org/ooxml" in data:
        data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)  # to the transitional namespaces
    if b"openoffice.org/2000/office" in data[:_HEAD]:
        data = to_open_document(data)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root: etree._Element | None = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    return root


def is_encrypted(data: bytes) -> bool:
    """Return whether an OLE file contains an encrypted office package."""
    return "EncryptedPackage".encode("utf-16-le") in data


def build(package: Package, builder: DocumentBuilder) -> Document:
    """Return the document, `partial` if a part was truncated; raises `DocumentError` if there is no text at all."""
    package.mark(builder)
    return builder.build(NO_TEXT)


# Appends the files set into documents and slides: workbooks, documents and others, as packages or OLE objects.

_KINDS = ("package", "oleObject")
_ZIP = b"PK\x03\x04"
_FOLDERS = (("xl/", ".xlsx"), ("word/", ".docx"), ("ppt/", ".pptx"))
_STREAMS = {"WordDocument": "doc", "PowerPoint Document": "ppt", "Workbook": "xls", "Book": "xls"}
_CONTENTS = ("Package", "CONTENTS")  # a file in a stream
_NATIVE = "\x01Ole10Native"  # any file, with its name
_LONGEST_NAME = 260


def append_embedded(
    package: Package, relations: Iterable[Relation], builder: DocumentBuilder, source: SourceFile
) -> None:
    """Append the embedded files that `relations` name, each as a section; those that cannot be read are left out."""
    for target in dict.fromkeys(one.target for one in relations if one.kind in _KINDS and not one.outside):
        append_file(posixpath.basename(target), package.read(target), builder, source)


def append_file(name: str, data: bytes, builder: DocumentBuilder, source: SourceFile) -> None:
    """Append an embedded file with this name, which may not tell what it is."""
    name, data = _unwrapped(name, data)
    try:
        document = source.read_member(name, data, name) if data else None
    except DocumentError:
        return
    if document is not None:
        builder.add_blank()
        builder.include(document, f"{builder.section} · {name}" if builder.section else name, deeper=1)


def _unwrapped(name: str, data: bytes) -> tuple[str, bytes]:
    """Return an embedded file with a name that fits it; no bytes if there is none."""
    stem = posixpath.splitext(name)[0]
    if data.startswith(file_types.OLE):
        try:
            ole = olefile.OleFileIO(io.BytesIO(data))
            if suffix := suffix_of_streams(ole):
                return f"{stem}.{suffix}", data
            for stream in _CONTENTS:
                if ole.exists(stream):
                    return _unwrapped(name, ole.openstream([stream]).read())
            return _of_native(ole.openstream([_NATIVE]).read()) if ole.exists(_NATIVE) else (name, b"")
        except BROKEN:
            return name, b""
    if data.startswith(_ZIP):
        try:
            names = zipfile.ZipFile(io.BytesIO(data)).namelist()
        except (zipfile.BadZipFile, ValueError, OSError):
            return name, b""
        suffix = next((suffix for folder, suffix in _FOLDERS if any(each.startswith(folder) for each in names)), "")
        return f"{stem}{suffix}" if suffix else name, data
    return f"{stem}.pdf" if data.startswith(b"%PDF") else name, data


def suffix_of_streams(ole: olefile.OleFileIO) -> str:
    """Return the suffix of the Office file that an OLE file is, empty if it is none."""
    return next((suffix for stream, suffix in _STREAMS.items() if ole.exists(stream)), "")


def _of_native(data: bytes) -> tuple[str, bytes]:
    """Return the name and the bytes of a file in an OLE package: sizes, and names that end with a zero byte."""
    label, _, rest = data[6:].partition(b"\0")
    path, _, rest = rest.partition(b"\0")
    if len(rest) < 8:
        return "", b""
    (length,) = struct.unpack_from("<I", rest, 4)
    rest = rest[8 + length :]
    if len(rest) < 4:
        return "", b""
    (size,) = struct.unpack_from("<I", rest)
    name = (label or path).decode("latin-1").replace("\\", "/")
    return posixpath.basename(name)[:_LONGEST_NAME], rest[4 : 4 + size]


# Title, author and dates of a binary office file ([MS-OLEPS]).


def read_ole_metadata(ole: olefile.OleFileIO, builder: DocumentBuilder) -> None:
    """Set the metadata from the summary of an OLE file; damaged ones are left out."""
    try:
        found = ole.get_metadata()
    except BROKEN:
        return
    encoding = codec_name(f"cp{(found.codepage or 1252) & 0xFFFF}") or "cp1252"

    def words(value: object) -> str:
        text = value.decode(encoding, "replace") if isinstance(value, bytes) else str(value or "")
        return " ".join(text.replace("\x00", " ").split())

    builder.title = words(found.title)
    builder.author = words(found.author)
    builder.tags += listed_tags(words(found.keywords))
    builder.created = _date(found.create_time)
    builder.modified = _date(found.last_saved_time)


def _date(value: object) -> str:
    return value.isoformat()[:19] if isinstance(value, datetime) and value.year > 1980 else ""
