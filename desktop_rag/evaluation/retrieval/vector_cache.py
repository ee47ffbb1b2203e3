"""Caches sentence vectors on disk, keyed by the encoder and the texts."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.index.encoding.encoder import Encoder

ENCODED_AT_ONCE = 512  # sentences

Floats = npt.NDArray[np.float32]
Say = Callable[[str], None]


class VectorCache:
    """A cache of vectors in a folder; None disables it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def encode(self, encoder: Encoder, texts: Sequence[str], say: Say, what: str) -> Floats:
        """Return the vectors of `texts`, one row each; `what` names them in progress messages."""
        name = hashlib.sha256("\0".join([encoder.id, *texts]).encode("utf-8", "replace")).hexdigest()[:32]
        file = self._folder / f"{name}.npy" if self._folder else None
        if file is not None and file.is_file():
            cached: Floats = np.load(file)
            return cached
        parts = []
        for first in range(0, len(texts), ENCODED_AT_ONCE):
            say(f"Encoding {what}: {first:,} of {len(texts):,}")
            parts.append(encoder.encode(texts[first : first + ENCODED_AT_ONCE]))
        vectors = np.concatenate(parts)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.save(file, vectors)
        return vectors
