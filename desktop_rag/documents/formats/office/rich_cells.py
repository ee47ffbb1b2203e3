"""Cells of workbooks whose words look unlike each other: raised and lowered figures, words struck out."""

import html
import re
from collections.abc import Iterable

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.inline_text import InlineText

_SIGNS = (b"vertAlign", b"strike")
_ITEM = re.compile(rb"<((?:\w{1,20}:)?)(si|is)>(.*?)</\1\2>", re.DOTALL)
_RUN = re.compile(rb"<(?:\w{1,20}:)?r>(.*?)</(?:\w{1,20}:)?r>", re.DOTALL)
_TEXT = re.compile(rb"<(?:\w{1,20}:)?t(?: [^>]*)?>([^<]*)</")
_STRUCK = re.compile(rb"<(?:\w{1,20}:)?strike(?! +val=[\"'](?:0|false)[\"'])\b")
_MOVED = re.compile(rb"<(?:\w{1,20}:)?vertAlign +val=[\"'](superscript|subscript)[\"']")
_KINDS = {b"superscript": MarkKind.SUPERSCRIPT, b"subscript": MarkKind.SUBSCRIPT}

Run = tuple[str, tuple[MarkKind, ...]]


def with_looks(xml: bytes) -> bytes:
    """Return the XML of a sheet or of the texts of a workbook, each text of several looks as one that tells them."""
    return _ITEM.sub(_as_one, xml) if any(sign in xml for sign in _SIGNS) else xml


def words_of(runs: Iterable[Run]) -> str:
    """Return runs of text as one line."""
    inline = InlineText()
    for text, kinds in runs:
        inline.add(text, kinds)
    return inline.text()


def _as_one(item: re.Match[bytes]) -> bytes:
    if not any(sign in item[3] for sign in _SIGNS):
        return item[0]
    text = html.escape(words_of(map(_run, _RUN.findall(item[3]))), quote=False)
    prefix = item[1]
    return b"<%b%b><%bt>%b</%bt></%b%b>" % (prefix, item[2], prefix, text.encode(), prefix, prefix, item[2])


def _run(run: bytes) -> Run:
    kinds = [MarkKind.STRIKETHROUGH] if _STRUCK.search(run) else []
    if moved := _MOVED.search(run):
        kinds.append(_KINDS[moved[1]])
    text = b"".join(_TEXT.findall(run)).decode("utf-8", "replace")
    return html.unescape(text), tuple(kinds)
