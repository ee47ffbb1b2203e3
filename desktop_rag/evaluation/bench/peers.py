"""The public tools we are compared with; a run goes on without those that are not installed."""

import importlib.util
import shutil

INSTALL = "pip install 'desktop-rag[bench]'"


def absent(peer: str, *modules: str) -> str:
    """Return a sentence for the notes when a module of `peer` cannot be imported, or nothing; imports nothing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return f"{peer} is left out: {', '.join(missing)} is not installed ({INSTALL})." if missing else ""


def absent_program(peer: str, command: str, package: str) -> str:
    """Return a sentence for the notes when `command` is not installed, or nothing."""
    if shutil.which(command):
        return ""
    return f"{peer} is left out: {command} is not installed (Debian package {package})."
