"""Fetches and converts a known encoder in a child process, as `desktop-rag encoder get` does; reports progress."""

import re
import subprocess
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.errors import EncoderError
from desktop_rag.processes.child import own_command, session_environment
from desktop_rag.stop import Stop

_FETCHED = re.compile(r"([\d,]+) of ([\d,]+) MB")
_NETWORK = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
_LAST_LINES = 2  # of an error: its title and its sentence


@dataclass(frozen=True, slots=True)
class EncoderProgress:
    """Megabytes that are fetched, of all; both are 0 while the encoder is converted and tested."""

    done: int = 0
    total: int = 0


def get_encoder(name: str, stop: Stop, command: Sequence[str] = ()) -> Generator[EncoderProgress]:
    """Fetch and convert an encoder after the user's consent; raises `EncoderError`. `stop` ends the child.

    What an ended child leaves of a download is removed by the next one.
    """
    names = (*_NETWORK, *map(str.lower, _NETWORK))
    child = subprocess.Popen(
        command or own_command("encoder", "get", name, "--yes"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=session_environment(*names),
        encoding="utf-8",
        errors="replace",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    lines: list[str] = []
    with child, stop.interrupting(child.kill):
        try:
            for line in child.stderr or ():
                lines = [*lines, line.strip()][-_LAST_LINES:]
                fetched = _FETCHED.search(line)
                counts = [int(count.replace(",", "")) for count in fetched.groups()] if fetched else []
                yield EncoderProgress(*counts)
        finally:
            child.kill()
    stop.check()
    if child.returncode:
        raise EncoderError(lines[-1] if lines else "The encoder was not added.")
