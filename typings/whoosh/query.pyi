from collections.abc import Iterable, Iterator, Sequence

from whoosh.matching import Matcher
from whoosh.reading import IndexReader
from whoosh.searching import Searcher

class Query:
    boost: float
    def normalize(self) -> Query: ...
    def matcher(self, searcher: Searcher, context: object = None) -> Matcher: ...

class QueryError(Exception): ...

class Term(Query):
    fieldname: str
    text: str | bytes | int
    minquality: float | None
    def __init__(
        self, fieldname: str, text: str | bytes | int, boost: float = 1.0, minquality: float | None = None
    ) -> None: ...

class Every(Query):
    fieldname: str | None
    def __init__(self, fieldname: str | None = None, boost: float = 1.0) -> None: ...

class _NullQuery(Query): ...

NullQuery: _NullQuery

class And(Query):
    subqueries: Sequence[Query]
    def __init__(self, subqueries: Sequence[Query], boost: float = 1.0) -> None: ...

class Or(Query):
    subqueries: Sequence[Query]
    scale: float | None
    def __init__(
        self, subqueries: Sequence[Query], boost: float = 1.0, minmatch: int = 0, scale: float | None = None
    ) -> None: ...

class DisjunctionMax(Query):
    subqueries: Sequence[Query]
    def __init__(self, subqueries: Sequence[Query], boost: float = 1.0, tiebreak: float = 0.0) -> None: ...

class Not(Query):
    query: Query
    def __init__(self, query: Query, boost: float = 1.0) -> None: ...

class AndNot(Query):
    a: Query
    b: Query
    def __init__(self, a: Query, b: Query) -> None: ...

class Otherwise(Query):
    def __init__(self, a: Query, b: Query) -> None: ...

class AndMaybe(Query):
    a: Query
    b: Query
    def __init__(self, a: Query, b: Query) -> None: ...

class Require(Query):
    a: Query
    b: Query
    def __init__(self, a: Query, b: Query) -> None: ...

class Phrase(Query):
    fieldname: str
    words: Sequence[str]
    slop: int
    def __init__(
        self, fieldname: str, words: Sequence[str], slop: int = 1, boost: float = 1.0, char_ranges: object = None
    ) -> None: ...

class MultiTerm(Query):
    fieldname: str
    constantscore: bool
    def _btexts(self, ixreader: IndexReader) -> Iterator[bytes]: ...

class Prefix(MultiTerm):
    text: str
    def __init__(self, fieldname: str, text: str, boost: float = 1.0, constantscore: bool = True) -> None: ...

class Regex(MultiTerm):
    text: str
    def _find_prefix(self, text: str) -> str: ...
    def __init__(self, fieldname: str, text: str, boost: float = 1.0, constantscore: bool = True) -> None: ...

class Wildcard(MultiTerm):
    text: str
    def __init__(self, fieldname: str, text: str, boost: float = 1.0, constantscore: bool = True) -> None: ...

class FuzzyTerm(MultiTerm):
    text: str
    maxdist: float
    prefixlength: int
    def __init__(
        self,
        fieldname: str,
        text: str,
        boost: float = 1.0,
        maxdist: int = 1,
        prefixlength: int = 1,
        constantscore: bool = True,
    ) -> None: ...

class TermRange(MultiTerm):
    start: str | bytes | None
    end: str | bytes | None
    startexcl: bool
    endexcl: bool
    def __init__(
        self,
        fieldname: str,
        start: str | bytes | None,
        end: str | bytes | None,
        startexcl: bool = False,
        endexcl: bool = False,
        boost: float = 1.0,
        constantscore: bool = True,
    ) -> None: ...

class NumericRange(Query):
    fieldname: str
    def __init__(
        self,
        fieldname: str,
        start: float | None,
        end: float | None,
        startexcl: bool = False,
        endexcl: bool = False,
        boost: float = 1.0,
        constantscore: bool = True,
    ) -> None: ...
    def _compile_query(self, ixreader: object) -> Query: ...

class DateRange(NumericRange): ...

class Variations(MultiTerm):
    def __init__(self, fieldname: str, text: str, boost: float = 1.0) -> None: ...

class ConstantScoreQuery(Query):
    child: Query
    score: float
    def __init__(self, child: Query, score: float = 1.0) -> None: ...

class Span:
    start: int
    end: int
    def __init__(self, start: int, end: int | None = None) -> None: ...

class SpanNear2(Query):
    qs: Sequence[Query]
    slop: int
    ordered: bool
    mindist: int
    def __init__(self, qs: Sequence[Query], slop: int = 1, ordered: bool = True, mindist: int = 1) -> None: ...
    def matcher(self, searcher: Searcher, context: object = None) -> Matcher: ...

    class SpanNear2Matcher(Matcher):
        ms: Sequence[Matcher]
        slop: int
        def __init__(self, ms: Sequence[Matcher], slop: int = 1, ordered: bool = True, mindist: int = 1) -> None: ...
