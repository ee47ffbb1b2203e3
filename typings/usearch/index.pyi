from typing import ClassVar

import numpy as np
import numpy.typing as npt

class MetricKind:
    Cos: ClassVar[MetricKind]

class Matches:
    @property
    def keys(self) -> npt.NDArray[np.uint64]: ...

class Index:
    memory_usage: int
    def __init__(self, *, ndim: int, metric: str, dtype: str) -> None: ...
    def add(self, keys: npt.NDArray[np.int64], vectors: npt.NDArray[np.float32], *, threads: int) -> object: ...
    def search(self, vectors: npt.NDArray[np.float32], count: int, *, threads: int) -> Matches: ...

def search(
    dataset: npt.NDArray[np.int8],
    query: npt.NDArray[np.int8],
    count: int,
    metric: MetricKind,
    *,
    exact: bool,
    threads: int,
) -> Matches: ...
