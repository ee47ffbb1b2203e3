"""The public tools we are compared with; missing ones are left out of a run."""

import shutil

from desktop_rag.evaluation import machine

INSTALL = ".venv/bin/python -m pip install -e '.[bench]'"


def absent(peer: str, *modules: str) -> str:
    """Return a sentence for the notes if a module of `peer` is not installed, else ""; imports nothing."""
    return machine.absent(peer, *modules, install=INSTALL)


def absent_program(peer: str, command: str, package: str) -> str:
    """Return a sentence for the notes if `command` is not installed, else ""."""
    if shutil.which(command):
        return ""
    return f"{peer} is left out: {command} is not installed (Debian package {package})."
