from collections.abc import Iterable, Iterator

from whoosh.analysis import Analyzer, Token
from whoosh.columns import Column
from whoosh.formats import Format

class UnknownFieldError(Exception): ...
class FieldConfigurationError(Exception): ...

class FieldType:
    format: Format
    analyzer: Analyzer
    scorable: bool
    stored: bool
    unique: bool
    indexed: bool
    column_type: Column | None
    vector: Format | None
    def to_column_value(self, value: object) -> int: ...
    def index(self, value: object, **kwargs: object) -> Iterable[tuple[bytes, int, float, bytes]]: ...
    def tokenize(self, value: str, **kwargs: object) -> Iterator[Token]: ...
    def process_text(self, qstring: str, mode: str = "", **kwargs: object) -> Iterable[str]: ...
    def to_bytes(self, value: str | int | bytes) -> bytes: ...
    def from_bytes(self, bs: bytes) -> str | int: ...

class TEXT(FieldType):
    def __init__(
        self,
        analyzer: Analyzer | None = None,
        phrase: bool = True,
        chars: bool = False,
        stored: bool = False,
        field_boost: float = 1.0,
        multitoken_query: str = "default",
        vector: bool = False,
    ) -> None: ...

class ID(FieldType):
    def __init__(self, stored: bool = False, unique: bool = False, field_boost: float = 1.0) -> None: ...

class NUMERIC(FieldType):
    numtype: type[int] | type[float]
    bits: int
    signed: bool
    shift_step: int
    def __init__(
        self,
        numtype: type[int] | type[float] = ...,
        bits: int = 32,
        stored: bool = False,
        unique: bool = False,
        field_boost: float = 1.0,
        decimal_places: int = 0,
        shift_step: int = 4,
        signed: bool = True,
        sortable: bool = False,
        default: int | float | None = None,
    ) -> None: ...

class STORED(FieldType): ...

class Schema:
    def __init__(self, **fields: FieldType) -> None: ...
    def __getitem__(self, name: str) -> FieldType: ...
    def __contains__(self, name: str) -> bool: ...
    def names(self) -> list[str]: ...
    def items(self) -> list[tuple[str, FieldType]]: ...
