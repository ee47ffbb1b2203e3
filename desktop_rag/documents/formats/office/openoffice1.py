"""Turns the XML of OpenOffice.org 1 (.sxw, .sxc, .sxi, .sxd) into the OpenDocument that grew out of it."""

import re

from lxml import etree

from desktop_rag.documents.formats.office.odf_styles import OFFICE, STYLE, TEXT

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
