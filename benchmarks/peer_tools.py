"""The public tools we are compared with; a run goes on without those that are not installed."""

import shutil

from desktop_rag.evaluation import peers

INSTALL = ".venv/bin/python -m pip install -e '.[bench]'"


def absent(peer: str, *modules: str) -> str:
    """Return a sentence for the notes when a module of `peer` cannot be imported, or nothing; imports nothing."""
    return peers.absent(peer, *modules, install=INSTALL)


def absent_program(peer: str, command: str, package: str) -> str:
    """Return a sentence for the notes when `command` is not installed, or nothing."""
    if shutil.which(command):
        return ""
    return f"{peer} is left out: {command} is not installed (Debian package {package})."
