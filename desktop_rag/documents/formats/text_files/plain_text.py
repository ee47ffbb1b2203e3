"""Reads plain text without markup: notes and logs, and the lines of every text file.

The lines of the document are the lines of the file, numbered as in an editor.
"""

import re
from itertools import chain, pairwise

from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, LineKind, line_starts
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_DEFAULT_KINDS = {  # the default kind of a line; PARAGRAPH for other formats
    Format.CODE: LineKind.CODE,
    Format.DATA: LineKind.CODE,
    Format.TABLE: LineKind.ROW,
    Format.LOG: LineKind.ROW,
}
_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪–—·]|\d{1,3}[.)]|\([a-z0-9]{1,3}\))\s+\S")


def read_plain_text(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a text file; raises `DocumentError` if it is binary or blank."""
    return text_document(decode(source.data), kind)


def text_document(text: str, kind: Format) -> Document:
    """Return a document with the lines of `text`, which must be cleaned by `encodings.clean`."""
    if not text or text.isspace():
        raise DocumentError(
            "This file is empty." if not text else "This file has no text, only white space.", ProblemKind.EMPTY
        )
    text = text.removesuffix("\n")  # editors do not count a line after the last newline
    starts = line_starts(text)
    line_kind = _DEFAULT_KINDS.get(kind, LineKind.PARAGRAPH)
    kinds = bytearray((line_kind,)) * len(starts)
    for number, (start, end) in enumerate(pairwise(chain(starts, (len(text),)))):
        line = text[start:end]
        if not line or line.isspace():
            kinds[number] = LineKind.BLANK
        elif line_kind is LineKind.PARAGRAPH and _ITEM.match(line):
            kinds[number] = LineKind.ITEM
    return Document(format=kind.value, text=text, kinds=bytes(kinds))
