"""How much memory a model needs, and the largest context window that fits what is free."""

import psutil

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.local_model.gguf import GgufModel

SMALLEST_WINDOW = 4_096  # tokens; with less a question has no room for passages
LARGEST_WINDOW = 32_768  # more costs memory and minutes of reading without being used
_WORKING_BYTES = 300 << 20  # buffers of llama.cpp and its process, batches of 512 tokens
_GIB = 1 << 30


def needed_bytes(model: GgufModel, window: int) -> int:
    """Return the memory in bytes for a context window in tokens: weights, KV cache and working buffers."""
    return model.size + model.kv_bytes_per_token * window + _WORKING_BYTES


def free_bytes() -> int:
    """Return the memory in bytes that can be used without swapping."""
    return psutil.virtual_memory().available


def fitting_window(model: GgufModel, free: int, wanted: int = 0) -> int:
    """Return the largest context window in tokens that fits `free` bytes, at most `wanted` (0: the usual most).

    Raises `LocalModelError` if none does.
    """
    window = min(model.trained_context, wanted or LARGEST_WINDOW)
    smallest = min(window, SMALLEST_WINDOW)
    while window > smallest and needed_bytes(model, window) > free:
        window = max(smallest, window // 2)
    if (need := needed_bytes(model, window)) > free:
        raise LocalModelError(
            f"{model.name} is too big: it needs about {need / _GIB:.1f} GB of memory with a context of {window:,} "
            f"tokens, and {free / _GIB:.1f} GB are free. Close other programs or choose a smaller model.",
        )
    return window
