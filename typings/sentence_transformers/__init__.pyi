from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__version__: str

class SentenceTransformer:
    max_seq_length: int
    def __init__(self, model_name_or_path: str, *, device: str) -> None: ...
    def encode(
        self,
        sentences: Sequence[str],
        *,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
    ) -> npt.NDArray[np.float32]: ...
