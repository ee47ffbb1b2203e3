"""Opens files with other programs: the system's default, the user's editor, the file manager."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rag.errors import ExportError, SettingsError
from desktop_rag.paths import write_durably
from desktop_rag.text.display import one_line

# Editors that accept a line on the command line, most likely first.
_KNOWN = (
    "code -g {path}:{line}",
    "codium -g {path}:{line}",
    "cursor -g {path}:{line}",
    "zed {path}:{line}",
    "subl {path}:{line}",
    "kate --line {line} {path}",
    "gnome-text-editor +{line} {path}",
    "gedit +{line} {path}",
    "xed +{line} {path}",
    "pluma +{line} {path}",
    "mousepad --line={line} {path}",
    "geany {path}:{line}",
    "notepad++ -n{line} {path}",
    "mate --line {line} {path}",
    "bbedit +{line} {path}",
    "gvim +{line} {path}",
)
_LAST_RESORTS = {"win32": "notepad {path}", "darwin": "open -t {path}"}


# How Tesseract is installed by each package manager; {language} is that of its data for another language than English.
_OCR_BY_MANAGER = (
    ("apt", "sudo apt install tesseract-ocr", " tesseract-ocr-{language}"),
    ("dnf", "sudo dnf install tesseract", " tesseract-langpack-{language}"),
    ("pacman", "sudo pacman -S tesseract tesseract-data-eng", " tesseract-data-{language}"),
    ("brew", "brew install tesseract", " tesseract-lang"),
    ("winget", "winget install UB-Mannheim.TesseractOCR", ""),
)
_OCR_LANGUAGES = {"de": "deu", "zh": "chi_sim"}


def ocr_install_command(language: str, which: Callable[[str], str | None] = shutil.which) -> str:
    """Return the command that installs Tesseract on this system, with data for `language`; "" if none is known."""
    data = _OCR_LANGUAGES.get(language, "")
    for manager, command, more in _OCR_BY_MANAGER:
        if which(manager):
            named = data.replace("_", "-") if manager == "apt" else data
            return command + (more.format(language=named) if data else "")
    return ""


def detected_editor(which: Callable[[str], str | None] = shutil.which) -> str:
    """Return the command of the first known editor on this computer; "" if there is none."""
    for template in _KNOWN:
        if which(template.split()[0]):
            return template
    return _LAST_RESORTS.get(sys.platform, "")


def editor_command(template: str, path: Path, line: int) -> list[str]:
    """Return a program and its arguments; no shell is involved, so names may contain any character.

    Raises `SettingsError` if the template is invalid.
    """
    try:
        words = shlex.split(template, posix=sys.platform != "win32")
    except ValueError as error:
        raise SettingsError(
            f"The editor in the settings, {template}, has a quotation mark without its other."
        ) from error
    if not words:
        raise SettingsError("No editor is known. Name one in the settings, for example: code -g {path}:{line}")
    if not any("{path}" in word for word in words):
        words.append("{path}")
    return [word.strip('"').replace("{line}", str(line)).replace("{path}", str(path)) for word in words]


def open_in_editor(template: str, path: Path, line: int) -> None:
    """Start the editor of `template`, or the detected one; raises `SettingsError` if it cannot be started."""
    program, *arguments = editor_command(template.strip() or detected_editor(), path, line)
    found = shutil.which(program)
    if found is None or not QProcess.startDetached(found, arguments)[0]:
        raise SettingsError(f"{program} cannot be started. Is it installed? The settings name your editor.")


def open_by_system(path: Path) -> bool:
    """Open a file or folder with the system's default program; return whether there is one."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def show_in_folder(path: Path) -> bool:
    """Show a file in the file manager, selected where that is supported."""
    if sys.platform == "win32":
        return bool(QProcess.startDetached("explorer", ["/select,", str(path)])[0])
    if sys.platform == "darwin":
        return bool(QProcess.startDetached("open", ["-R", str(path)])[0])
    return open_by_system(path.parent)


# Files that are written where the user says: as a whole or not at all.


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
