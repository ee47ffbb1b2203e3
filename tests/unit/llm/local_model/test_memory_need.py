"""What a model needs of the memory, and which context window it gets."""

from pathlib import Path

import pytest

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.local_model.model_files import GgufModel
from desktop_rag.llm.local_model.server_child import fitting_window, needed_bytes

GIB = 1 << 30
# Llama 3.1 8B: 32 layers, 8 KV heads of 128; 131,072 tokens cost 16 GiB.
LLAMA_8B = GgufModel(Path("m.gguf"), "Llama 8B", "llama", 4_900_000_000, "Q4_K_M", 131_072, 32 * 8 * 256 * 2, True)


def test_the_cache_grows_with_the_window() -> None:
    assert needed_bytes(LLAMA_8B, 131_072) - needed_bytes(LLAMA_8B, 0) == 16 * GIB


@pytest.mark.parametrize(("free", "window"), [(32, 32_768), (8, 16_384), (6, 8_192)])
def test_the_window_fits_the_free_memory(free: int, window: int) -> None:
    assert fitting_window(LLAMA_8B, free * GIB) == window


def test_a_model_that_fits_no_window_is_too_big() -> None:
    with pytest.raises(LocalModelError, match=r"needs about 5\.4 GB .* 4,096 tokens, and 4\.0 GB are free"):
        fitting_window(LLAMA_8B, 4 * GIB)
