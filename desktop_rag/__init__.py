"""Desktop RAG: ask your folders, and see the line that proves the answer."""

import importlib
import os

__version__ = "0.2.0"  # the one place of the version

# onnxruntime gives the machine a number, keeps it in the home folder, and may report it with what it does, unless
# this is said before it is loaded, in whatever process of ours loads it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

_LOADED_AT_FIRST_USE = {
    "Library": ("desktop_rag.python_api.opened_library", "OpenedLibrary"),
    "AsyncLibrary": ("desktop_rag.python_api.async_library", "AsyncLibrary"),
    "DesktopRagError": ("desktop_rag.errors", "DesktopRagError"),
}


def __getattr__(name: str) -> object:
    if name not in _LOADED_AT_FIRST_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LOADED_AT_FIRST_USE[name]
    return getattr(importlib.import_module(module), attribute)
