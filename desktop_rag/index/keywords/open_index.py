"""Opens the keyword index; imports Whoosh without what would be a tenth of the start of a search, asyncio and HTTP.

Whoosh imports both for two names: a property that may be a coroutine, which none of its own is, and a function that
downloads a file, which it never calls.
"""

import functools
import importlib
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy starts threads, and no process may have any before it is confined
    from desktop_rag.index.keywords.keyword_engine import KeywordReader

_STAND_INS: dict[str, dict[str, object]] = {
    "cached_property": {"cached_property": functools.cached_property},
    "urllib.request": {"urlretrieve": None},
}


def import_whoosh() -> None:
    """Import Whoosh's readers, unless another thread could meet a placeholder or the real modules are loaded."""
    if threading.active_count() > 1 or any(name in sys.modules for name in (*_STAND_INS, "whoosh")):
        return
    try:
        for name, taken in _STAND_INS.items():
            sys.modules[name] = stand_in = ModuleType(name)
            stand_in.__dict__.update(taken)
        importlib.import_module("whoosh.reading")
    finally:
        for name in _STAND_INS:
            sys.modules.pop(name, None)


def keyword_reader(folder: Path) -> "KeywordReader":
    """Return a reader of the index in a folder; imports the engine only now."""
    import_whoosh()
    from desktop_rag.index.keywords.columnar import columnar_keywords

    return columnar_keywords.ColumnarKeywordReader(folder)


def prepare() -> None:
    """Import the modules the first queries need; those for fuzzy words alone take 0.2 s."""
    for module in ("desktop_rag.index.keywords.columnar.columnar_keywords", "rapidfuzz.distance", "rapidfuzz.process"):
        importlib.import_module(module)
