"""The file in which the window remembers its shape and the last commands."""

import os
from contextlib import suppress

from PySide6.QtCore import QSettings

from desktop_rag.paths import data_home, private_folder, private_opener


def window_state(*, to_write: bool = False) -> QSettings:
    """Return the file, made before it is written: Qt would make it readable by all, but keeps the mode it has."""
    file = data_home() / "window.ini"
    if to_write:
        with suppress(OSError):  # the next window opens as the first one did
            private_folder(file.parent)
            os.close(private_opener(str(file), os.O_WRONLY | os.O_CREAT))
    return QSettings(str(file), QSettings.Format.IniFormat)
