"""What the tests of confined children share: whether this kernel confines, and children that do what a test wants."""

import os
import platform
import sys
import threading
from pathlib import Path

import pytest

from desktop_rag.processes.confinement import seccomp

REFUSED = "refused: PermissionError"

_SITE = '''
"""Makes the services of our children execute what follows “try ” in a request."""
import sys

if {"_indexer", "_searcher", "_quoting"} & set(sys.orig_argv):
    import os, socket
    from desktop_rag.processes import service

    handler_of = service.Service.handler

    def outcome(expression):
        try:
            return f"done: {eval(expression)}"
        except OSError as error:
            return f"refused: {type(error).__name__}"

    def handler(self, implementation):
        plain = handler_of(self, implementation)

        def handle(payload, stop):
            if payload.startswith(b"try "):
                yield outcome(payload[4:].decode()).encode()
            else:
                yield from plain(payload, stop)

        return handle

    service.Service.handler = handler
'''


def signals_and_terminals(parent: int) -> tuple[str, ...]:
    """Return attempts to have the kernel signal a process when a pipe is read, and to type into a terminal."""
    fcntl = "__import__('fcntl')"
    owner, signal, owner_too, type_in, console = 8, 10, 15, 0x5412, 0x541C
    return (
        f"{fcntl}.fcntl(0, {owner}, {parent})",
        f"{fcntl}.fcntl(0, {signal}, 9)",
        f"{fcntl}.fcntl(0, {owner_too}, bytes(8))",
        f"{fcntl}.ioctl(0, {type_in}, b'x')",
        f"{fcntl}.ioctl(0, {console}, b'x')",
        f"{fcntl}.ioctl(0, 0x8901, b'xxxx')",
    )


def kernel_confines() -> bool:
    """Return whether the kernel supports both; tried on a separate thread, which alone is restricted."""
    works: list[bool] = []

    def confine() -> None:
        works.append(seccomp.restrict(()) and seccomp.refuse_dangerous_calls())

    thread = threading.Thread(target=confine)
    thread.start()
    thread.join()
    return works == [True]


needs_confinement = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64") or not kernel_confines(),
    reason="needs a Linux kernel with Landlock and seccomp",
)


def obedient_services(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the children that this test starts execute what follows “try ” in a request."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_SITE)
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))
    monkeypatch.setenv("PYTHONPATH", path)
