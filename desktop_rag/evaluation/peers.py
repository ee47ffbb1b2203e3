"""Optional packages that an evaluation needs or compares with; they are not installed with the program."""

import importlib.util

INSTALL = "pip install 'desktop-rag[eval]'"


def absent(peer: str, *modules: str, install: str = INSTALL) -> str:
    """Return a sentence naming the modules of `peer` that are not installed, or ""; imports nothing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return f"{peer} is left out: {', '.join(missing)} is not installed ({install})." if missing else ""
