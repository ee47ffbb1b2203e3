"""The public packages an evaluation needs or compares with; they are not installed with the program."""

import importlib.util

INSTALL = "pip install 'desktop-rag[eval]'"


def absent(peer: str, *modules: str, install: str = INSTALL) -> str:
    """Return a sentence for the notes when a module of `peer` cannot be imported, or nothing; imports nothing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return f"{peer} is left out: {', '.join(missing)} is not installed ({install})." if missing else ""
