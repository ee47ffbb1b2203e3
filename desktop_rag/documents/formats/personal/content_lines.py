"""Parses the content lines of iCalendar and vCard (RFC 5545 section 3.1, RFC 6350 section 3.2; vCard 2.1)."""

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_rag.documents.decoding.charsets import decode_leniently
from desktop_rag.documents.decoding.encodings import decode

_FOLD = re.compile(r"\n[ \t]")
_LINE = re.compile(r'(?:[\w-]+\.)?([\w-]+)((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)')
_PARAMETER = re.compile(r';([\w-]+)(?:=((?:"[^"]*"|[^;"])*))?')
_ESCAPED = re.compile(r"\\(.)")
_SPLIT = re.compile(r"(?<!\\);")
_QUOTED_PRINTABLE = "QUOTED-PRINTABLE"


@dataclass(frozen=True, slots=True)
class Property:
    """One property: its name and parameter names in capitals, its value still escaped."""

    name: str
    value: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the unescaped value, which may have several lines."""
        return unescaped(self.value)

    @property
    def line(self) -> str:
        """Return the unescaped value as one line."""
        return " ".join(self.text.split())

    @property
    def parts(self) -> list[str]:
        """Return the components of a structured value."""
        return [" ".join(unescaped(part).split()) for part in _SPLIT.split(self.value)]

    @property
    def types(self) -> str:
        """Return the types of a number or address, “home, work”."""
        named = self.parameters.get("TYPE", "").lower().replace('"', "").split(",")
        return ", ".join(kind for kind in named if kind and kind not in ("pref", "internet", "voice", "x400"))


def properties(data: bytes) -> Iterator[Property]:
    """Yield the properties in order, skipping malformed lines."""
    text = decode(data)
    if _QUOTED_PRINTABLE in text.upper():
        text = _joined(text)
    for line in _FOLD.sub("", text).split("\n"):
        if (found := _LINE.fullmatch(line)) is not None:
            yield _property(found[1].upper(), found[2], found[3])


def unescaped(value: str) -> str:
    """Return a value with its backslash escapes (comma, semicolon, line end) resolved."""
    return _ESCAPED.sub(lambda mark: "\n" if mark[1] in "nN" else mark[1], value) if "\\" in value else value


def _property(name: str, parameter_text: str, value: str) -> Property:
    parameters: dict[str, str] = {}
    for found in _PARAMETER.finditer(parameter_text):
        key, argument = found[1].upper(), (found[2] or "").strip('"')
        if found[2] is None:  # vCard 2.1 writes TEL;HOME: instead of TEL;TYPE=HOME:
            key, argument = ("ENCODING", key) if key in (_QUOTED_PRINTABLE, "BASE64") else ("TYPE", found[1])
        parameters[key] = f"{parameters[key]},{argument}" if key in parameters else argument
    if parameters.get("ENCODING", "").upper() == _QUOTED_PRINTABLE:
        raw = quopri.decodestring(value.encode("utf-8", "replace"))
        value = decode_leniently(raw, parameters.get("CHARSET", "")).replace("\n", "\\n")
    return Property(name, value, parameters)


def _joined(text: str) -> str:
    """Join the soft line breaks of quoted-printable values: lines that end with “=”."""
    pieces: list[str] = []
    open_value = False
    for line in text.split("\n"):
        soft = line.endswith("=") and (open_value or _QUOTED_PRINTABLE in line.partition(":")[0].upper())
        if pieces and not open_value:
            pieces.append("\n")
        pieces.append(line[:-1] if soft else line)
        open_value = soft
    return "".join(pieces)
