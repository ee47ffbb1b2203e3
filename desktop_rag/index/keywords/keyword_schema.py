"""The schema of the keyword index: its fields, and how their texts become postings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from whoosh.analysis import Analyzer, Token
from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.formats import Positions

from desktop_rag.index.keywords.analysis import stem, stems_of, terms
from desktop_rag.index.keywords.cached_analysis import WordAnalyser
from desktop_rag.index.keywords.identifiers import indexed_terms
from desktop_rag.index.keywords.keyword_query import CHUNK, CONTENT, HEADINGS, TEXT_EXACT, TEXT_STEM, TITLE


class Words(Analyzer):
    """`analysis.terms` as a Whoosh analyzer; mode "query" analyses as for a query."""

    def __init__(self, *, stemmed: bool) -> None:
        self.stemmed = stemmed

    def __call__(
        self,
        value: str,
        positions: bool = False,  # noqa: FBT001, FBT002 - Whoosh's signature
        chars: bool = False,  # noqa: FBT001, FBT002
        start_pos: int = 0,
        start_char: int = 0,
        mode: str = "",
        **_: object,
    ) -> Iterator[Token]:
        """Yield one reused token per term."""
        token = Token(positions, chars, mode=mode)
        for term in terms(value, query=True) if mode == "query" else indexed_terms(value):
            token.text = stem(term.text) if self.stemmed else term.text
            token.boost = 1.0
            token.stopped = False
            token.pos = start_pos + term.position
            token.startchar = start_char + term.start
            token.endchar = start_char + term.end
            yield token


class PlacedWords(TEXT):
    """Terms with their positions, for phrases; avoids Whoosh's token objects, which cost more than the analysis."""

    def __init__(self, *, stemmed: bool = False) -> None:
        super().__init__(analyzer=Words(stemmed=stemmed), phrase=True, multitoken_query="phrase")
        self._stemmed = stemmed
        self.analyser = WordAnalyser(stem if stemmed else None)

    def index(self, value: object, **_: object) -> Iterable[tuple[bytes, int, float, bytes]]:
        """Yield (term, frequency, weight, encoded positions)."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for term in indexed_terms(str(value)):
            places[stem(term.text) if self._stemmed else term.text].append(term.position)
        encode = Positions().encode
        for text, positions in places.items():
            yield text.encode("utf-8", "replace"), len(positions), float(len(positions)), encode(positions)


class RankedWords(TEXT):
    """The stems of the field `source` with their frequency only, for ranking plain words."""

    def __init__(self, source: str) -> None:
        super().__init__(analyzer=Words(stemmed=True), phrase=False, multitoken_query="and")
        self.source = source
        self.groups_of = stems_of

    def index(self, value: object, **_: object) -> Iterable[tuple[bytes, int, float, bytes]]:
        """Yield (term, frequency, weight, encoded frequency)."""
        for text, count in Counter(stem(term.text) for term in indexed_terms(str(value))).items():
            yield text.encode("utf-8", "replace"), count, float(count), count.to_bytes(4, "big")


def _number(*, unique: bool = False) -> NUMERIC:
    """Return a field for ids (≥ 1): one exact term, and a column from document to id (0 for none)."""
    return NUMERIC(int, bits=64, signed=False, unique=unique, shift_step=0, sortable=True, default=0)


SCHEMA = Schema(
    **{
        CHUNK: _number(unique=True),
        CONTENT: _number(),
        TITLE: PlacedWords(stemmed=True),
        HEADINGS: PlacedWords(stemmed=True),
        TEXT_EXACT: PlacedWords(),
        TEXT_STEM: RankedWords(TEXT_EXACT),
    }
)
