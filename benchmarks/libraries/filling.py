"""Vectors for more sentences than a benchmark can encode: real ones plus noise."""

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from benchmarks.libraries.measured_library import MeasuredLibrary
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.sentence_vectors import sentence_hashes
from desktop_rag.paths import encoder_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REAL = 1_000  # sentences that are really encoded
NOISE = 0.5  # norm of the noise added to a unit vector
AT_ONCE = 500  # chunks passed on before waiting for them, so that no queue grows


def fill(measured: MeasuredLibrary, sentences: list[str], seed: int, say: Callable[[str], None]) -> None:
    """Give every chunk vectors, oldest first, while the indexer encodes the newest ones itself."""
    import numpy as np

    from desktop_rag.index.encoding.encoder import Encoder
    from desktop_rag.index.vectors.vector_codes import pack_rows

    encoder = Encoder.load(encoder_folder(), threads=1)
    real = encoder.encode(sentences[:REAL])
    chance = np.random.default_rng(seed)
    with closing(CatalogReader.open(measured.library.catalog)) as catalog:
        waiting = catalog.chunks.not_encoded()
        for first in range(0, len(waiting), AT_ONCE):
            chunks = catalog.chunks.by_id(waiting[first : first + AT_ONCE])
            for chunk in chunks.values():
                hashes = sentence_hashes(chunk)
                rows = pack_rows(hashes, noisy(real, len(hashes), chance))
                measured.keep_vectors(chunk.id, encoder.id, b"".join(rows.values()))
            measured.wait_until_encoded(list(chunks))
            say(f"{first + len(chunks):,} of {len(waiting):,} chunks have vectors")


def noisy(real: "NDArray[np.float32]", count: int, chance: "np.random.Generator") -> "NDArray[np.float32]":
    """Return `count` unit rows, each a random row of `real` plus noise of norm `NOISE`."""
    import numpy as np

    noise = chance.standard_normal((count, real.shape[1]), np.float32)
    rows = real[chance.integers(len(real), size=count)] + noise * np.float32(NOISE / real.shape[1] ** 0.5)
    made: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return made
