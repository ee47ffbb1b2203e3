"""Misbehaving readers for the real reader children: what a file can make a third-party library do.

A child started by the test, or by an indexer that the test starts, reads `*.hostile.txt` line by line like the
plain text reader, checks its budget before each line, and executes the orders in it.
"""

import os
from pathlib import Path

import pytest

_SITE = '''
"""Imported by every Python process that finds this folder on its path; changes readers, and how long they may take."""

import sys
from pathlib import Path

if "_indexer" in sys.orig_argv:
    from desktop_rag.documents.sandbox import reader_client

    reader_client._MIN_SECONDS = 4.0

if "_reader" in sys.orig_argv:
    import ctypes
    import mmap
    import os
    import re
    import socket
    import struct
    import time

    from desktop_rag.documents import format_registry
    from desktop_rag.documents.builder import DocumentBuilder
    from desktop_rag.documents.document import Line
    from desktop_rag.errors import DocumentError

    TAME = Path(__file__).parent / "tame"
    _reader_of = format_registry._reader
    pieces = []

    def flood(header):
        for descriptor in range(3, 16):
            try:
                if os.readlink(f"/proc/self/fd/{descriptor}").startswith("pipe:"):
                    os.write(descriptor, header)
                    while True:
                        os.write(descriptor, b"x" * 65536)
            except OSError:
                pass

    def obey(order):
        if order.startswith("crash"):
            ctypes.string_at(0)
        elif order.startswith("spin"):
            re.match("(a+)+$", "a" * 64 + "b")
        elif order.startswith("eat"):
            while True:
                pieces.append(bytearray(1 << 26))
        elif order.startswith("map"):
            while True:
                piece = mmap.mmap(-1, 1 << 24)
                piece.write(b"x" * (1 << 24))
                pieces.append(piece)
        elif order.startswith("flood"):
            flood(b"")
        elif order.startswith("announce"):
            flood(struct.pack("!Q", 3 << 30))
        elif order.startswith("exit"):
            os._exit(0)
        elif order.startswith("wait"):
            time.sleep(60)

    def outcome(expression):
        try:
            return f"done: {eval(expression)}"
        except OSError as error:
            return f"refused: {type(error).__name__}"

    def read_hostile(source, kind):
        builder = DocumentBuilder("text")
        with source.keep_partial(builder):
            for line in source.data.decode().splitlines():
                source.budget.check(builder.characters)
                source.budget._next_look = 0.0  # report every step, however fast the machine is
                if line.startswith("try "):
                    line = outcome(line.removeprefix("try "))
                elif not TAME.exists():
                    obey(line)
                builder.add(Line(line))
        document = builder.build()
        if not document.text and document.partial:
            raise DocumentError(document.partial)
        return document

    def reader(kind):
        plain = _reader_of(kind)
        return lambda source, kind: (read_hostile if ".hostile." in source.name else plain)(source, kind)

    format_registry._reader = reader
'''


def hostile_readers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the hostile reader in the children that this test starts."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_SITE)
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))
    monkeypatch.setenv("PYTHONPATH", path)
