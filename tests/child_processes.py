"""The child processes of a process, found by a word of their command line."""

from contextlib import suppress

import psutil


def child_processes(word: str, of: psutil.Process | None = None) -> list[psutil.Process]:
    """Return the children of a process, by default this one, with `word` as an argument; not those that have ended."""
    found = []
    for child in (of or psutil.Process()).children():
        with suppress(psutil.Error):  # it ended meanwhile
            if word in child.cmdline():
                found.append(child)
    return found
