from collections.abc import Iterator

class Token:
    text: str
    pos: int
    startchar: int
    endchar: int
    original: str
    boost: float
    stopped: bool
    positions: bool
    chars: bool
    mode: str
    def __init__(
        self, positions: bool = False, chars: bool = False, removestops: bool = True, mode: str = ""
    ) -> None: ...

class Analyzer:
    def __call__(
        self,
        value: str,
        positions: bool = False,
        chars: bool = False,
        start_pos: int = 0,
        start_char: int = 0,
        mode: str = "",
        **kwargs: object,
    ) -> Iterator[Token]: ...
    def __or__(self, other: Analyzer) -> Analyzer: ...

def SpaceSeparatedTokenizer() -> Analyzer: ...
def RegexTokenizer(expression: str = ...) -> Analyzer: ...
def LowercaseFilter() -> Analyzer: ...
