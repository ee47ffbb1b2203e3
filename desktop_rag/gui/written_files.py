"""Files that are written where the user says: as a whole or not at all."""

import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from desktop_rag.errors import ExportError
from desktop_rag.paths import write_durably
from desktop_rag.text.display import one_line


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all; raises `ExportError` and keeps what was there, also a device."""
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(None, _tr("it is read-only"))  # a rename would replace it all the same
        write_durably(path, data, 0o666)
    except OSError as error:
        text = _tr("{path} cannot be written ({reason}). Nothing there was changed; choose another place.")
        raise ExportError(text.format(path=one_line(str(path)), reason=error.strerror or error)) from error


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationExport", text)
