"""Decodes and parses web pages, and reads the metadata in their head."""

import re
from urllib.parse import urljoin

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.decoding.charsets import decode_as, decode_leniently
from desktop_rag.documents.decoding.encodings import clean

_HEAD = 4096  # bytes searched for the encoding (HTML Standard: 1024; saved pages start with comments)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})""", re.I)
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{2,40})""", re.I)
_UTF8 = "utf-8"
_TOO_DEEP = "Excessive depth"
_MAX_FRAMES_DEEP = 4  # frames within frames
_CREATED = (
    "article:published_time",
    "datepublished",
    "dc.date",
    "dcterms.created",
    "dc.date.issued",
    "citation_publication_date",
    "pubdate",
    "date",
)
_MODIFIED = ("article:modified_time", "datemodified", "dcterms.modified", "last-modified", "revised")
_DATE = re.compile(r"(\d{4})[-/](\d{2})[-/](\d{2})([T ]\d{2}:\d{2}(?::\d{2})?)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_PREFIX = re.compile(r"""xmlns:([\w-]{1,20})\s*=\s*["']http://www\.w3\.org/(?:1999/xhtml|1998/Math/MathML)["']""")
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


class HtmlPage:
    """The element tree of a page, its `srcdoc` frames in place; `too_deep` if it is truncated by its nesting."""

    def __init__(self, text: str, frames_deep: int = 0) -> None:
        parser = etree.HTMLParser(
            encoding=_UTF8, remove_comments=True, remove_pis=True, no_network=True, huge_tree=True
        )
        if prefixes := set(_PREFIX.findall(text)):
            text = re.sub(rf"(</?)(?:{'|'.join(prefixes)}):", r"\1", text)
        data = text.encode(_UTF8, "replace")
        try:
            found: etree._Element | None = etree.fromstring(data, parser) if data.strip() else None
        except (etree.XMLSyntaxError, ValueError):
            found = None
        self.root = found
        self.too_deep = any(_TOO_DEEP in entry.message for entry in parser.error_log)
        for frame in [] if found is None else list(found.iter("iframe")):
            if source := frame.attrib.pop("srcdoc", ""):
                self._place(frame, str(source), frames_deep)

    def _place(self, frame: "etree._Element", source: str, frames_deep: int) -> None:
        """Replace an inline frame by a block with the body of its `srcdoc` page."""
        if frames_deep >= _MAX_FRAMES_DEEP:
            self.too_deep = True
            return
        page = HtmlPage(source, frames_deep + 1)
        self.too_deep = self.too_deep or page.too_deep
        body = page.root.find("body") if page.root is not None else None
        if body is not None:
            frame.tag, frame.text = "div", body.text
            frame[:] = list(body)

    def read_metadata(self, builder: DocumentBuilder) -> str:
        """Set title, author, dates and language from the head; return the base address of links."""
        if self.root is None:
            return ""
        named: dict[str, str] = {}
        for meta in self.root.iter("meta"):
            name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv") or ""
            named.setdefault(name.strip().lower(), " ".join(clean(meta.get("content", "")).split()))
        title = next((one for one in self.root.iter("title") if _is_page_title(one)), None)
        words = "".join(str(text) for text in title.itertext()) if title is not None else ""
        builder.title = " ".join(clean(words).split()) or named.get("og:title", "") or named.get("dc.title", "")
        builder.author = named.get("author", "") or named.get("dc.creator", "") or named.get("article:author", "")
        builder.tags += listed_tags(named.get("keywords", ""))
        builder.created = _date(named, _CREATED)
        builder.modified = _date(named, _MODIFIED)
        language = self.root.get("lang") or self.root.get(_XML_LANG) or named.get("content-language", "")
        builder.language = language if _LANGUAGE.fullmatch(language) else ""
        base = next(self.root.iter("base"), None)
        return base.get("href", "") if base is not None else ""


def decode_html(data: bytes, charset: str = "") -> str:
    """Return the text of a page; an external `charset`, such as a mail's, overrides the page's own."""
    head = data[:_HEAD]
    named = _XML_ENCODING.search(head) or _CHARSET.search(head)
    own = named[1].decode("ascii", "replace") if named else ""
    if own.lower().startswith(("utf-16", "utf-32")):  # impossible, since the declaration is readable as ASCII
        own = _UTF8
    decode = decode_as if b"\0" in head else decode_leniently
    return decode(data, charset or own)


def link_target(address: str, base: str) -> str:
    """Return the absolute address of a link, or an empty string for fragments and other schemes."""
    address = address.strip()
    if base and not address.startswith("#"):
        try:
            address = urljoin(base, address)
        except ValueError:
            return ""
    return address if address.lower().startswith(("http://", "https://", "mailto:", "tel:")) else ""


def _is_page_title(title: "etree._Element") -> bool:
    parent = title.getparent()
    return parent is None or parent.tag != "svg"


def _date(named: dict[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if found := _DATE.match(named.get(name, "")):
            return f"{found[1]}-{found[2]}-{found[3]}{(found[4] or '').replace(' ', 'T')}"
    return ""
