"""What tests of several floors want to know of the real encoder."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.stop import Stop


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is encoded in this process from now on."""
    texts: list[str] = []
    encode = Encoder.encode

    def noted(
        self: Encoder, some: Sequence[str], stop: Stop | None = None, threads: int | None = None
    ) -> npt.NDArray[np.float32]:
        texts.extend(some)
        return encode(self, some, stop, threads)

    monkeypatch.setattr(Encoder, "encode", noted)
    return texts
