"""Cached analysis: yields the same terms as `indexed_terms`, but analyses each distinct piece of a text only once.

A piece is a run between two ASCII characters that belong to no word. No term spans two pieces, so the terms of a text
are those of its pieces in order, followed by the parts of its `identifiers`.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, Protocol

from desktop_rag.index.keywords.analysis import MAX_TERM, WORD, fold, terms, unwrapped
from desktop_rag.index.keywords.identifiers import GAP, other_forms
from desktop_rag.text.raised import RAISED

_KNOWN = 1 << 14  # cached analyses of pieces that are not plain words …
_SHORT = 32  # … and at most this many bytes long: longer ones seldom recur
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_KEPT = b"'" + _DIGITS + _LETTERS + bytes(range(128, 256))
_TABLE = bytes(code if code in _KEPT else code + 32 if 65 <= code <= 90 else 32 for code in range(256))
# The commonest non-ASCII punctuation; splitting there makes for fewer distinct pieces.
_RAISED = re.compile(f"[{RAISED}]")
_GAP = b"\x01"  # a piece that takes one position and has no term; never occurs in a text
_GAPS = f" {_GAP.decode()}" * GAP
_APOSTROPHE = "’".encode()
_PUNCTUATION = re.compile("|".join("“”„‘–—…•·«»§°×→\u00a0").encode())


class AnalysedPiece(NamedTuple):
    """The analysis of a piece: its terms, their positions relative to its first word, and how many words it has."""

    terms: tuple[bytes, ...]
    places: tuple[int, ...]
    width: int


class PieceAnalyser(Protocol):
    """Analyses a text piece by piece.

    A piece of `word_bytes` alone, as long as a term may be, is exactly one term, unchanged.
    """

    word_bytes: bytes

    def spaced(self, text: str) -> bytes:
        """Return the pieces of a text separated by spaces."""

    def analyse(self, piece: bytes) -> AnalysedPiece:
        """Return the analysis of one piece."""


def spaced(text: str) -> bytes:
    """Return the pieces of a text separated by spaces, as UTF-8 with ASCII letters in lower case."""
    behind = "".join(map(_adjacent, other_forms(text))).encode()
    text = unwrapped(text)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) != len(text):
        data = _PUNCTUATION.sub(b" ", data.replace(_APOSTROPHE, b"'"))
    return data.translate(_TABLE) + behind


def _adjacent(parts: Sequence[tuple[str, int, int]]) -> str:
    """Return adjacent terms as pieces, with gap pieces before them and a space before each."""
    return " ".join([_GAPS, *[part[0] for part in parts]])


@cache
def _word() -> re.Pattern[str]:
    return re.compile(f"{WORD}+")


class WordAnalyser:
    """Analyses pieces into folded words, or into `change` of each (its stem)."""

    def __init__(self, change: Callable[[str], str] | None = None) -> None:
        self._change = change
        self.word_bytes = b"" if change else _DIGITS + _LETTERS
        self._known: dict[bytes, AnalysedPiece] = {}

    def __reduce__(self) -> tuple[type["WordAnalyser"], tuple[Callable[[str], str] | None]]:
        """Pickle without the cache: Whoosh pickles its fields with every commit."""
        return WordAnalyser, (self._change,)

    def spaced(self, text: str) -> bytes:
        """Return the pieces of a text separated by spaces."""
        return spaced(text)

    def analyse(self, piece: bytes) -> AnalysedPiece:
        """Return the analysis of one piece."""
        if piece.isalnum():  # ASCII in lower case: one word, folded already
            term = piece[:MAX_TERM]
            return AnalysedPiece((self._change(term.decode()).encode() if self._change else term,), (0,), 1)
        if len(piece) > _SHORT:
            return self._analyse(piece)
        known = self._known.get(piece)
        if known is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            known = self._known[piece] = self._analyse(piece)
        return known

    def _analyse(self, piece: bytes) -> AnalysedPiece:
        if piece == _GAP:
            return AnalysedPiece((), (), 1)
        change, text = self._change, piece.decode("utf-8", "surrogatepass")
        if _word().fullmatch(text) and not _RAISED.search(text):
            found = [(fold(text), 0)]
        else:
            found = [(term.text, term.position) for term in terms(text)]
        texts = tuple((change(text) if change else text).encode("utf-8", "replace") for text, _ in found)
        return AnalysedPiece(
            texts, tuple(place for _, place in found), 1 + max((place for _, place in found), default=-1)
        )
