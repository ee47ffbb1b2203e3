"""Word recall against other extractors: the share of their words that our text contains, per file.

The union of two independent extractors is more than either finds. Link addresses are ignored: they are not text.
"""

import io
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import ParseError, iterparse

_ADDED = re.compile(  # what tools add to the text: addresses, names of pictures and columns, empty cells
    r"<!--.*?-->|!\[[^\]]*\]\([^)\n]*\)|\]\((?:[^()\n]|\([^()\n]*\))*\)|<?\w+://\S+|\bdata:\S+|&\w+;|\\(?=[^\w\s])"
    r"|\bNaN\b|\bUnnamed: \d+\b|^### (?:Notes:$|Chart\b)|^\| Category \||<!\[CDATA\[",
    re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(r"[^\W_]+")
_PARTS = {  # the parts of a package that contain its text
    "docx": re.compile(r"word/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml"),
    "pptx": re.compile(r"ppt/(?:slides|notesSlides)/[^/]+\.xml"),
    "xlsx": re.compile(r"xl/sharedStrings\.xml"),
}
_MOST_BYTES = 50 * 1024 * 1024


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, without the mark-up that tools add."""
    return frozenset(_WORD.findall(_ADDED.sub(" ", text).casefold()))


def recall(ours: str, others: Iterable[str]) -> tuple[int, int, frozenset[str]]:
    """Return how many of the others' words we have, their total, and the missing ones."""
    wanted = frozenset[str]().union(*map(words, others))
    missing = wanted - words(ours)
    return len(wanted) - len(missing), len(wanted), missing


def package_text(path: Path) -> str | None:
    """Return the text of all text nodes of an Office package; None if it is damaged."""
    parts = _PARTS.get(path.suffix.lower().lstrip("."))
    if parts is None:
        return None
    try:
        with zipfile.ZipFile(path) as package:
            found = [name for name in package.namelist() if parts.fullmatch(name)]
            if sum(package.getinfo(name).file_size for name in found) > _MOST_BYTES:
                return None
            return "\n".join(_text_nodes(package.read(name)) for name in found)
    except (zipfile.BadZipFile, OSError, RuntimeError, ParseError, NotImplementedError):
        return None


def _text_nodes(xml: bytes) -> str:
    """Return the text of elements named `t`; paragraphs and cells end words, runs do not."""
    pieces: list[str] = []
    for _, element in iterparse(io.BytesIO(xml)):
        tag = element.tag.rpartition("}")[2]
        if tag == "t":
            pieces.append(element.text or "")
        elif tag == "fld" and element.get("type") == "slidenum":
            pieces[-1:] = []  # a slide number is not text
        elif tag in ("p", "si", "tab", "br", "cr"):
            pieces.append("\n")
    return "".join(pieces)
