"""Estimates the sentence encoder's token count of a text without loading its tokenizer."""

import codecs
import re

from desktop_rag.text.language_profiles import LATIN

# Fitted to the WordPiece vocabulary of all-MiniLM-L6-v2: an English word is one piece and its tenth letter
# begins another; digits come in twos or threes; other alphabets fall apart into letters, or pieces of two.
_PIECE = re.compile(
    r"[A-Za-z]{1,9}|\d{1,3}|[\u0370-\u052f\u0590-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]{1,2}|[^\w\s]|_"
)
_AS_ESTIMATED = ("en", "vi")
_OTHER_LATIN = 1.5  # relative to English: words of these languages are split into more pieces
_HANGUL = 1.8


# Classes of bytes, whether marks do not tell the tokens there, and whether one begins there for sure.
_LETTER, _DIGIT, _UNKNOWN, _BEGINS = 1, 2, 0x40, 0x80
_SPACES = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "
_CLASSES = bytes(
    _LETTER
    if byte < 128 and chr(byte).isalpha()
    else _DIGIT
    if byte < 128 and chr(byte).isdigit()
    else 0
    if byte in _SPACES
    else _BEGINS
    if byte < 128
    else _UNKNOWN
    for byte in range(256)
)
_START, _UNSURE = b".", b"?"
_MARKS = bytes(_UNSURE[0] if byte & _UNKNOWN else _START[0] if byte else ord(" ") for byte in range(256))
# (byte, letters of one token): the next letter of a run begins another; runs of more than two tokens are counted apart.
_WINDOW = 1 << 15  # characters
_SURE = int.from_bytes(bytes([_BEGINS | _UNKNOWN]) * _WINDOW, "little")
_RUNS = ((bytes([_LETTER]), 9), (bytes([_DIGIT]), 3))
_FOREIGN = "desktop_rag.foreign_letters"  # encodes what is no ASCII, one byte for each character
_SIGNS = dict.fromkeys("’‘‚“”„«»–—…•·°€£©®™§×", b"!") | {"\u00a0": b" "}


def _foreign(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return _SIGNS.get(letters) or b"\x80" * len(letters), error.end


codecs.register_error(_FOREIGN, _foreign)


def estimate_tokens(text: str) -> int:
    """Return the approximate token count of `text`; within a fifth of the truth on English prose."""
    return len(_PIECE.findall(text))


class TokenCounts:
    """The `estimate_tokens` of the parts of a text, one after the other: in half the time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._marks, self._first, self._last = b"", 0, 0  # of the bytes of a window, and its range

    def of(self, start: int, end: int) -> int:
        """Return the approximate token count of a part of the text."""
        if start < self._first or end > self._last:
            if end - start > _WINDOW:
                return estimate_tokens(self._text[start:end])
            window = self._text[start : start + _WINDOW]
            self._marks, self._first, self._last = _marks(window), start, start + len(window)
        first, last = start - self._first, end - self._first
        if self._marks.find(_UNSURE, first, last) >= 0:
            return estimate_tokens(self._text[start:end])
        return self._marks.count(_START, first, last)


def _marks(text: str) -> bytes:
    """Return a mark for each character: where a token begins, and where a run of letters or digits is too long."""
    data = text.encode("ascii", _FOREIGN).translate(_CLASSES)
    for letter, most in _RUNS:
        longest = letter * (2 * most + 1)
        data = data.replace(longest, bytes([letter[0] | _UNKNOWN]) * len(longest))
        data = data.replace(letter * (most + 1), letter * most + bytes([letter[0] | _BEGINS]))
    # A token begins where the class differs from that of the byte before: one operation on all bytes.
    bits = int.from_bytes(data, "little")
    return (bits & ~(bits << 8) | bits & _SURE).to_bytes(len(data), "little").translate(_MARKS)


def density(language: str) -> float:
    """Return the ratio of real to estimated tokens for a text in this language."""
    if language == "ko":
        return _HANGUL  # a syllable is split into its two or three letters
    return _OTHER_LATIN if language in LATIN and language not in _AS_ESTIMATED else 1.0
