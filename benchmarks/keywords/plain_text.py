"""The plain analysis all keyword engines are compared with: every word, in lower case; for ours piece by piece."""

from typing import TYPE_CHECKING

from benchmarks.keywords.keyword_queries import plain_words
from desktop_rag.index.keywords.cached_analysis import AnalysedPiece

if TYPE_CHECKING:
    from whoosh.fields import FieldType

# ASCII letters in lower case, figures and the underscore are parts of words, and so may be what is beyond ASCII.
_TABLE = bytes(
    code + 32 if 65 <= code <= 90 else code if code >= 128 or chr(code).isalnum() or code == 95 else 32
    for code in range(256)
)


class PlainCutting:
    """Cuts a text at ASCII characters that belong to no word; what is left holds a word, or several."""

    def spaced(self, text: str) -> bytes:
        """Return the pieces of a text with spaces between them."""
        return text.encode("utf-8", "surrogatepass").translate(_TABLE)

    def is_word(self, piece: bytes) -> bool:
        """Return whether a piece is one word."""
        return piece.isascii()

    def analyse(self, piece: bytes) -> AnalysedPiece:
        """Return the words of a piece."""
        words = [word.encode() for word in plain_words(piece.decode("utf-8", "surrogatepass"))]
        return AnalysedPiece(tuple(words), tuple(range(len(words))), len(words))


def plain_field() -> "FieldType":
    """Return a field of Whoosh with this analysis, which our writer knows how to cut."""
    from whoosh.analysis import LowercaseFilter, RegexTokenizer
    from whoosh.fields import TEXT

    class PlainText(TEXT):
        analyser = PlainCutting()

    return PlainText(RegexTokenizer(r"\w+") | LowercaseFilter())
