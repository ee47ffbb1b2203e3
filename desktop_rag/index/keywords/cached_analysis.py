"""Cuts a text into pieces that are analysed once, however often they occur: `indexed_terms`, many times faster.

A piece is what stands between two ASCII characters that belong to no word. No term reaches beyond its piece, so the
terms of a text are those of its pieces, one after another. Behind them stand the parts of `identifiers`.
"""

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from desktop_rag.index.keywords.analysis import MAX_TERM, terms
from desktop_rag.index.keywords.identifiers import has_humps, parts

_KNOWN = 1 << 14  # pieces that are remembered, of those that are no plain word …
_SHORT = 32  # … and not longer than this: a long one seldom comes again
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_KEPT = b"0123456789'" + _LETTERS + bytes(range(128, 256))
_TABLE = bytes(code if code in _KEPT else code + 32 if 65 <= code <= 90 else 32 for code in range(256))
# The commonest of what is neither ASCII nor part of a word: with it, fewer pieces are different from one another.
_GAP = b"\x01"  # a piece that is one position and no term; of a text it is never a piece
_APOSTROPHE = "’".encode()
_PUNCTUATION = re.compile("|".join("“”„‘–—…•·«»§°×→\u00a0").encode())


class AnalysedPiece(NamedTuple):
    """What a piece becomes: its terms, the places of each from the piece's first word on, and its words."""

    terms: tuple[bytes, ...]
    places: tuple[int, ...]
    width: int


class PieceAnalyser(Protocol):
    """An analysis that goes piece by piece."""

    def spaced(self, text: str) -> bytes:
        """Return the pieces of a text with spaces between them."""

    def is_word(self, piece: bytes) -> bool:
        """Return whether a piece is, as it stands, one term."""

    def cut(self, piece: bytes) -> AnalysedPiece:
        """Return what one piece becomes."""


def spaced(text: str) -> bytes:
    """Return the pieces of a text with spaces between them, in UTF-8, in lower case where they are ASCII."""
    data = text.encode("utf-8", "surrogatepass")
    behind = _behind(text) if has_humps(data) else b""
    if len(data) != len(text):
        data = _PUNCTUATION.sub(b" ", data.replace(_APOSTROPHE, b"'"))
    return data.translate(_TABLE) + behind


def _behind(text: str) -> bytes:
    """Return the parts of the names in a text as pieces, with a gap where the position before is left out."""
    pieces: list[str] = []
    last = -1
    for part in parts(text):
        pieces += [_GAP.decode()] * (part.position - last - 1) + [part.text]
        last = part.position
    return " ".join(["", *pieces]).encode() if pieces else b""


class WordAnalyser:
    """Folded words, or what `change` makes of each."""

    def __init__(self, change: Callable[[str], str] | None = None) -> None:
        self._change = change
        self._known: dict[bytes, AnalysedPiece] = {}

    def __reduce__(self) -> tuple[type["WordAnalyser"], tuple[Callable[[str], str] | None]]:
        """Leave what is remembered behind: Whoosh pickles its fields with every commit."""
        return WordAnalyser, (self._change,)

    def spaced(self, text: str) -> bytes:
        """Return the pieces of a text with spaces between them."""
        return spaced(text)

    def is_word(self, piece: bytes) -> bool:
        """Return whether a piece is, as it stands, one term."""
        return self._change is None and piece.isalnum() and len(piece) <= MAX_TERM

    def cut(self, piece: bytes) -> AnalysedPiece:
        """Return what one piece becomes."""
        if piece.isalnum():  # of ASCII only, and in lower case: one word, folded
            term = piece[:MAX_TERM]
            return AnalysedPiece((self._change(term.decode()).encode() if self._change else term,), (0,), 1)
        if len(piece) > _SHORT:
            return self._cut(piece)
        known = self._known.get(piece)
        if known is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            known = self._known[piece] = self._cut(piece)
        return known

    def _cut(self, piece: bytes) -> AnalysedPiece:
        if piece == _GAP:
            return AnalysedPiece((), (), 1)
        change = self._change
        found = [(term.text, term.position) for term in terms(piece.decode("utf-8", "surrogatepass"))]
        texts = tuple((change(text) if change else text).encode("utf-8", "replace") for text, _ in found)
        return AnalysedPiece(
            texts, tuple(place for _, place in found), 1 + max((place for _, place in found), default=-1)
        )
