from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

class RapidOCROutput:
    boxes: npt.NDArray[np.float32] | None
    txts: tuple[str, ...] | None
    scores: tuple[float, ...] | None

class RapidOCR:
    def __init__(self, config_path: str | None = None, params: Mapping[str, object] | None = None) -> None: ...
    def __call__(self, img_content: npt.NDArray[np.uint8]) -> RapidOCROutput: ...
