"""Opens the ZIP package that modern office files are, within the limits of one file.

What stands in a package is untrusted: sizes are checked before a part is unpacked, no more than the
declared bytes are taken, entities are never resolved and nothing is fetched.
"""

import io
import posixpath
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass

from lxml import etree

from desktop_rag.documents import file_signatures
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats.source_file import ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError

PROTECTED = "This file is protected by a password."
NO_TEXT = "This file holds no text."
TOO_DEEP = "This file is nested too deeply; the rest of it was left out."

_LARGEST_PART = 64 * 1024 * 1024  # bytes of XML; its tree takes about ten times as much
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
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
    """What one part of a package refers to: the last word of its type, a part or an address outside."""

    kind: str
    target: str
    outside: bool


class Package:
    """The parts of an office file; `what` is how a person calls such a file, for the reasons of refusals."""

    def __init__(self, source: SourceFile, what: str) -> None:
        self._budget = source.budget
        self._damaged = f"This file is damaged or not {what}."
        if source.data.startswith(file_signatures.OLE):
            raise DocumentError(PROTECTED if is_encrypted(source.data) else self._damaged)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
        except _BROKEN_ZIP as error:
            raise DocumentError(self._damaged) from error
        self._parts = {info.filename.replace("\\", "/").lower(): info for info in self._zip.infolist()}
        self.cut = ""

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def names(self) -> list[str]:
        """Return the names of all parts as they stand in the package."""
        return [info.filename for info in self._parts.values()]

    def read(self, name: str, most: int = _LARGEST_PART) -> bytes:
        """Return the first `most` bytes of a part; none if it is missing or damaged."""
        info = self._parts.get(name.replace("\\", "/").lower())
        if info is None:
            return b""
        self._budget.count_unpacked(min(info.file_size, most), info.compress_size)
        if info.file_size > most:
            self.cut = "This file is very large; the rest of it was left out."
        try:
            with self._zip.open(info) as part:
                return part.read(most)
        except RuntimeError as error:
            if info.flag_bits & 1:
                raise DocumentError(PROTECTED) from error
            return b""
        except _BROKEN_ZIP:
            return b""

    def xml(self, name: str) -> "etree._Element | None":
        """Return the root of a part as far as it is readable, or None."""
        return parse_xml(self.read(name))

    def main(self, name: str) -> "etree._Element":
        """Return the root of the part without which there is no document; raises `DocumentError` otherwise."""
        root = self.xml(name)
        if root is None:
            raise DocumentError(self._damaged)
        return root

    def relations(self, part: str) -> dict[str, Relation]:
        """Return what `part` (the package itself if empty) refers to, by the ids it uses for it."""
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relation] = {}
        for element in root.iter(_RELATIONSHIP) if root is not None else ():
            target = element.get("Target", "")
            outside = element.get("TargetMode") == "External"
            if not outside:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[element.get("Id", "")] = Relation(posixpath.basename(element.get("Type", "")), target, outside)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Return the parts of one kind that `part` refers to."""
        return [one.target for one in self.relations(part).values() if one.kind == kind and not one.outside]

    def describe(self, builder: DocumentBuilder) -> None:
        """Take title, author, dates and language from the properties of the package."""
        named = [*self.related("", "core-properties"), "docProps/core.xml"]
        root = self.xml(named[0])
        if root is not None:
            describe(builder, root, created=f"{_TERMS}created", modified=f"{_TERMS}modified")


def describe(builder: DocumentBuilder, root: "etree._Element", *, created: str, modified: str) -> None:
    """Take the Dublin Core properties below `root`; the dates stand in elements of the given names."""

    def value(tag: str) -> str:
        element = next(root.iter(tag), None)
        return " ".join((element.text or "").split()) if element is not None else ""

    title = value(f"{_DC}title")
    builder.title = "" if _NO_TITLE.fullmatch(title) else title
    builder.author = value(f"{_DC}creator")
    builder.created = value(created)[:19]
    builder.modified = value(modified)[:19]
    builder.language = value(f"{_DC}language")


def parse_xml(data: bytes) -> "etree._Element | None":
    """Return the root of untrusted XML as far as it is readable; no entity is resolved, nothing is fetched."""
    if b"purl.oclc.org/ooxml" in data:
        data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)  # one set of names for both dialects
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
    """Return whether an OLE file is the wrapping of an office file with a password."""
    return "EncryptedPackage".encode("utf-16-le") in data


def build(package: Package, builder: DocumentBuilder) -> Document:
    """Return the document, `partial` if a part was truncated; raises `DocumentError` if there is no text at all."""
    builder.partial = builder.partial or package.cut
    return builder.build(NO_TEXT)


def nesting_limit(error: RecursionError) -> ReadLimitReached:
    """Return the limit that a file met whose parts are nested like no program nests them."""
    limit = ReadLimitReached(TOO_DEEP)
    limit.__cause__ = error
    return limit
