from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from Stemmer import Stemmer

def tokenize(
    texts: Sequence[str],
    *,
    stopwords: str = "english",
    stemmer: Stemmer | None = None,
    return_ids: bool = True,
    show_progress: bool = True,
) -> list[list[str]]: ...

class BM25:
    def __init__(self, k1: float = 1.5, b: float = 0.75, *, method: str = "lucene") -> None: ...
    def index(self, corpus: Sequence[Sequence[str]], *, show_progress: bool = True) -> None: ...
    def save(self, save_dir: str) -> None: ...
    def get_scores(self, query_tokens_single: Sequence[str]) -> npt.NDArray[np.float32]: ...
