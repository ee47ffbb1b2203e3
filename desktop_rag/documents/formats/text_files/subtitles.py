"""Reads subtitles (SubRip, WebVTT); each cue is a section labelled with its time."""

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
    lines = SourceLines(source, kind, _TAGS.sub("", decode(source.data)))
    in_cue = False
    for number in lines.numbers():
        times = _TIMES.match(lines[number])
        if times:
            in_cue = True
            lines.set(number, LineKind.FIELD)
            lines.begin_section(number, f"{int(times[1] or 0)}:{times[2]}:{times[3]}")
        elif lines.is_blank(number):
            in_cue = False
        else:
            lines.set(number, LineKind.PARAGRAPH if in_cue else LineKind.FIELD)
    return lines.document()
