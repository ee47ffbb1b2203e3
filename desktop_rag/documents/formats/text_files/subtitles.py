"""Reads subtitles (SubRip, WebVTT): what is said, in parts named by their time."""

import re

from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import SourceLines

_TIMES = re.compile(r"[ \t]*(?:(\d+):)?(\d\d):(\d\d)[.,]\d{3}[ \t]*-->[ \t]*(?:\d+:)?\d\d:\d\d[.,]\d{3}")
_TAGS = re.compile(r"</?(?:[ibucv]|ruby|rt|lang|font)(?:[ .][^>\n]*)?>|\{\\[^}\n]*\}|<\d\d:\d\d[^>\n]*>")


def read_subtitles(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a subtitle file without their formatting."""
    page = SourceLines(source, kind, _TAGS.sub("", decode(source.data)))
    in_cue = False
    for number in page.numbers():
        times = _TIMES.match(page[number])
        if times:
            in_cue = True
            page.set(number, LineKind.FIELD)
            page.section(number, f"{int(times[1] or 0)}:{times[2]}:{times[3]}")
        elif page.is_blank(number):
            in_cue = False
        else:
            page.set(number, LineKind.PARAGRAPH if in_cue else LineKind.FIELD)
    return page.document()
