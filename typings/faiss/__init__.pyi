from typing import ClassVar

import numpy as np
import numpy.typing as npt

METRIC_INNER_PRODUCT: int

class ScalarQuantizer:
    QT_8bit: ClassVar[int]

class _Index:
    def train(self, x: npt.NDArray[np.float32]) -> None: ...
    def add(self, x: npt.NDArray[np.float32]) -> None: ...
    def search(self, x: npt.NDArray[np.float32], k: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]: ...

class IndexFlatIP(_Index):
    def __init__(self, d: int) -> None: ...

class IndexScalarQuantizer(_Index):
    def __init__(self, d: int, qtype: int, metric: int) -> None: ...

def omp_set_num_threads(count: int) -> None: ...
