"""Reads EPUB books: the files in the order of the spine, with chapters from the table of contents."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.books.chapters import ChapterEntry, ChapterList
from desktop_rag.documents.formats.office.package import Package
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage, decode_html
from desktop_rag.documents.formats.web.html_text import HtmlTextExtractor
from desktop_rag.errors import DocumentError, ProblemKind

_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
_CIPHER = "{http://www.w3.org/2001/04/xmlenc#}CipherReference"
_PROTECTED = "This e-book is protected against copying (DRM); only the reader it was bought for can open it."
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")
_DEEPEST = 15
_MODIFIED = "dcterms:modified"


def read_epub(source: SourceFile, kind: Format) -> Document:
    """Return the text of an EPUB; raises `DocumentError` if it is protected or has no text."""
    package = Package(source, "an e-book")
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        _Book(package, builder, source).read()
    package.mark(builder)
    return builder.build("This e-book contains no text, only pictures.")


class _Book:
    def __init__(self, package: Package, builder: DocumentBuilder, source: SourceFile) -> None:
        self._package = package
        self._builder = builder
        self._source = source
        container = package.required_xml("META-INF/container.xml")
        rootfile = next(container.iter(f"{_CONTAINER}rootfile"), None)
        path = rootfile.get("full-path", "") if rootfile is not None else ""
        self._folder = posixpath.dirname(path)
        self._opf = package.required_xml(path)
        self._items = {item.get("id", ""): item for item in self._opf.iter(f"{_OPF}item")}

    def read(self) -> None:
        self._read_metadata()
        files = list(self._spine())
        encrypted = self._encrypted()
        if files and encrypted.issuperset(files):
            raise DocumentError(_PROTECTED, ProblemKind.PROTECTED)
        contents = ChapterList(self._contents(), self._builder)
        text = HtmlTextExtractor(self._builder, self._source.budget, on_anchor=contents.begin_at)
        for file in files:
            page = HtmlPage(decode_html(self._package.read(file)))
            if page.root is None or file in encrypted:
                continue
            self._builder.add_blank()
            first_line = len(self._builder) + 1
            contents.begin_file(file)
            text.read(page.root, sheets=self._sheets(page.root, posixpath.dirname(file)))
            contents.end_file(first_line)

    def _read_metadata(self) -> None:
        def value(tag: str) -> str:
            found = (" ".join((element.text or "").split()) for element in self._opf.iter(f"{_DC}{tag}"))
            return next((text for text in found if text), "")

        authors = (" ".join((element.text or "").split()) for element in self._opf.iter(f"{_DC}creator"))
        self._builder.title = value("title")
        self._builder.author = ", ".join(author for author in authors if author)
        self._builder.language = value("language")
        self._builder.created = value("date")[:19]
        modified = (meta.text or "" for meta in self._opf.iter(f"{_OPF}meta") if meta.get("property") == _MODIFIED)
        self._builder.modified = next(modified, "").strip()[:19]

    def _spine(self) -> Iterator[str]:
        seen: set[str] = set()
        for reference in self._opf.iter(f"{_OPF}itemref"):
            item = self._items.get(reference.get("idref", ""))
            if item is not None and item.get("media-type", "").lower() in _PAGES:
                file = self._path(item.get("href", ""))[0]
                if file not in seen:
                    seen.add(file)
                    yield file

    def _path(self, reference: str, folder: str | None = None) -> tuple[str, str]:
        """Return the target of a reference from `folder`: a file in the package and an id in it."""
        path, _, anchor = reference.partition("#")
        whole = posixpath.join("/", self._folder if folder is None else folder, unquote(path))
        return posixpath.normpath(whole).lstrip("/"), unquote(anchor)

    def _sheets(self, root: "etree._Element", folder: str) -> str:
        """Return the style sheets that a page links to."""
        links = (
            link.get("href", "") for link in root.getroottree().iter("link") if "stylesheet" in link.get("rel", "")
        )
        return "\n".join(decode(self._package.read(self._path(link, folder)[0])) for link in dict.fromkeys(links))

    def _encrypted(self) -> set[str]:
        root = self._package.xml("META-INF/encryption.xml")
        if root is None:
            return set()
        return {self._path(reference.get("URI", ""), "")[0] for reference in root.iter(_CIPHER)}

    def _contents(self) -> list[ChapterEntry]:
        for item in self._items.values():
            if "nav" in item.get("properties", "").split():
                file = self._path(item.get("href", ""))[0]
                if entries := self._navigation(file):
                    return entries
        spine = next(self._opf.iter(f"{_OPF}spine"), None)
        ncx = self._items.get(spine.get("toc", "")) if spine is not None else None
        if ncx is None:
            ncx = next((item for item in self._items.values() if item.get("media-type", "").endswith("ncx+xml")), None)
        return self._ncx(self._path(ncx.get("href", ""))[0]) if ncx is not None else []

    def _navigation(self, file: str) -> list[ChapterEntry]:
        """Return the entries of an EPUB 3 navigation document."""
        root = HtmlPage(decode_html(self._package.read(file))).root
        menus = list(root.iter("nav")) if root is not None else []
        menu = next((nav for nav in menus if nav.get("epub:type") == "toc"), menus[0] if menus else None)
        entries: list[ChapterEntry] = []
        for link in menu.iter("a") if menu is not None else ():
            depth = sum(1 for ancestor in link.iterancestors("ol", "nav") if ancestor.tag == "ol")
            title = " ".join("".join(str(text) for text in link.itertext()).split())
            if title and link.get("href"):
                target = self._path(link.get("href", ""), posixpath.dirname(file))
                entries.append(ChapterEntry(*target, min(max(1, depth), _DEEPEST), title))
        return entries

    def _ncx(self, file: str) -> list[ChapterEntry]:
        """Return the entries of an EPUB 2 table of contents."""
        root = self._package.xml(file)
        entries: list[ChapterEntry] = []
        for point in root.iter(f"{_NCX}navPoint") if root is not None else ():
            label, content = point.find(f"{_NCX}navLabel/{_NCX}text"), point.find(f"{_NCX}content")
            title = " ".join((label.text or "").split()) if label is not None else ""
            if title and content is not None:
                depth = 1 + sum(1 for _ in point.iterancestors(f"{_NCX}navPoint"))
                target = self._path(content.get("src", ""), posixpath.dirname(file))
                entries.append(ChapterEntry(*target, min(depth, _DEEPEST), title))
        return entries
