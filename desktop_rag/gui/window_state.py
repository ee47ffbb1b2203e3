"""The file in which the window remembers its shape and the last commands.

It is written without waiting for the disk, which QSettings does twice each time: the window would stand still while
the disk is busy. A file that is lost or cut costs the shape of the window only.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.paths import data_home, private_folder, private_opener

WindowState = dict[str, str | list[str]]


def load_window_state() -> WindowState:
    """Return what is remembered; nothing if the file is missing or damaged."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeError):
        return decode_json(_file().read_bytes(), WindowState)
    return {}


def store_window_state(changes: Mapping[str, str | list[str]]) -> None:
    """Remember these values beside the others; on a full or read-only disk nothing."""
    file = _file()
    with suppress(OSError):
        private_folder(file.parent)
        written = file.with_name(f"{file.name}.{os.getpid()}.new")  # windows of two libraries never share it
        with open(written, "wb", opener=private_opener) as out:
            out.write(msgspec.json.encode({**load_window_state(), **changes}))
        written.replace(file)


def _file() -> Path:
    return data_home() / "window.json"
