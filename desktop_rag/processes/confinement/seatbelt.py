"""Seatbelt (macOS): restricts this process and its children by a profile, which the kernel enforces.

A profile is a text in Apple's profile language: the last rule that matches an operation decides. See sandbox_init(3)
and sandbox-exec(1); both are called deprecated and are what browsers and build systems use.
"""

import ctypes
import json
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator

from desktop_rag.processes.confinement.seccomp import Access, Allowed

_LIBRARY = "/usr/lib/libsandbox.1.dylib"
_FOLDERS_OF_USERS = ("/Users", "/Volumes", "/Network", "/private/tmp", "/private/var/folders")


def profile(
    rules: Iterable[tuple[str, Access]],
    allowed: Allowed,
    *,
    read_anything: bool = False,
    ports: Collection[int] = (),
    listening: Collection[int] = (),
) -> str:
    """Return the profile that allows `rules` (paths, what is allowed below) and `allowed`.

    Without `read_anything` no file of a user is read but those of `rules`; the system's own stay readable. TCP
    connections are made to `ports` only, and accepted at the ports `listening`; 0 is one that the system chooses.
    """
    accesses = [(os.path.realpath(path), access) for path, access in rules]
    lines = ["(version 1)", "(allow default)", "(deny appleevent-send)", "(deny lsopen)"]
    if not read_anything:
        lines.append(_rule("deny", "file-read-data", _below(_FOLDERS_OF_USERS)))
        lines.append(_rule("allow", "file-read-data", _below(p for p, a in accesses if a & (Access.READ | Access.RUN))))
    lines.append("(deny file-write*)")
    lines.append(_rule("allow", "file-write*", _below(p for p, a in accesses if a & Access.CHANGE == Access.CHANGE)))
    if not allowed & (Allowed.EXECUTE | Allowed.PROCESSES):
        lines.append("(deny process-exec*)")
    if Allowed.PROCESSES not in allowed:
        lines += ["(deny process-fork)", "(deny signal)", "(allow signal (target self))"]
    lines += ["(deny network*)", *_network(accesses, allowed, ports, listening)]
    return "\n".join(filter(None, lines))


def enter(text: str) -> bool:
    """Restrict this process to a profile, irrevocably; return whether the kernel enforces it."""
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return False
    # The kernel copies what it needs; the message of a refusal is one line that is never freed.
    return bool(library.sandbox_init(text.encode(), ctypes.c_uint64(0), ctypes.byref(ctypes.c_char_p())) == 0)


def _network(
    accesses: Iterable[tuple[str, Access]], allowed: Allowed, ports: Collection[int], listening: Collection[int]
) -> Iterator[str]:
    """Yield the rules for sockets; names of hosts are looked up by a service of the system, at a socket of its own."""
    if Allowed.LOCAL_SOCKETS in allowed:
        changed = [path for path, access in accesses if access & Access.CHANGE == Access.CHANGE]
        for folder in (*changed, os.path.realpath(tempfile.gettempdir())):
            yield f"(allow network-outbound (remote unix-socket {_below((folder,))}))"
            if Allowed.LISTEN in allowed:
                yield f"(allow network-bind network-inbound (local unix-socket {_below((folder,))}))"
    if ports:
        yield '(allow network-outbound (literal "/private/var/run/mDNSResponder"))'
    for port in ports:
        yield f'(allow network-outbound (remote ip "*:{port}"))'
    for port in listening:
        yield f'(allow network-bind network-inbound (local ip "localhost:{port or "*"}"))'


def _rule(decision: str, operation: str, filters: str) -> str:
    """Return a rule for what `filters` match, "" without any: a rule without filters would match everything."""
    return f"({decision} {operation} {filters})" if filters else ""


def _below(paths: Iterable[str]) -> str:
    """Return filters that match each path, and all below those that are folders."""
    return " ".join(f"(subpath {json.dumps(path, ensure_ascii=False)})" for path in sorted(set(paths)))
