"""The plain analysis shared by all compared engines: every word in lower case; for ours piece by piece."""

from typing import TYPE_CHECKING

from benchmarks.keywords.keyword_queries import plain_words
from desktop_rag.index.keywords.cached_analysis import AnalysedPiece

if TYPE_CHECKING:
    from whoosh.fields import FieldType

# Lower-case ASCII letters, digits and the underscore belong to words; non-ASCII characters may.
_TABLE = bytes(
    code + 32 if 65 <= code <= 90 else code if code >= 128 or chr(code).isalnum() or code == 95 else 32
    for code in range(256)
)


class PlainCutting:
    """Splits a text at ASCII characters that belong to no word; a piece has one or more words."""

    word_bytes = bytes(range(128))

    def spaced(self, text: str) -> bytes:
        """Return the pieces of a text separated by spaces."""
        return text.encode("utf-8", "surrogatepass").translate(_TABLE)

    def analyse(self, piece: bytes) -> AnalysedPiece:
        """Return the words of a piece."""
        words = [word.encode() for word in plain_words(piece.decode("utf-8", "surrogatepass"))]
        return AnalysedPiece(tuple(words), tuple(range(len(words))), len(words))


def plain_field() -> "FieldType":
    """Return a Whoosh field with this analysis, piece by piece for our writer."""
    from whoosh.analysis import LowercaseFilter, RegexTokenizer
    from whoosh.fields import TEXT

    class PlainText(TEXT):
        analyser = PlainCutting()

    return PlainText(RegexTokenizer(r"\w+") | LowercaseFilter())
