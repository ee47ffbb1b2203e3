"""Describes this installation: versions, sizes, the ends of the log files, and a report without names.

The report is safe by construction: numbers and names of our own parts, and of each log line only its time, its level
and the place in the program that wrote it; never its message, which may name a document.
"""

import getpass
import os
import pkgutil
import platform
import re
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtCore import Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QPushButton, QWidget

import desktop_rag
from desktop_rag import __version__
from desktop_rag.gui.files.file_wording import left_out_text
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID, mono_font, set_role
from desktop_rag.gui.widgets.layouts import STRETCH, in_row
from desktop_rag.index.indexer_api import LibraryStatus, PartCheck
from desktop_rag.index.records import FolderState
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import shown_path

TAIL = 256_000  # bytes read from the end of a log file
MOST_LINES = 2_000  # shown
_REPORTED_LINES = 100
_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) (DEBUG|INFO|WARNING|ERROR|CRITICAL) ([\w.]+)(:\d{1,6})?: ")
_FRAME = re.compile(r'\s*File "[^"]*?(desktop_rag[/\\][\w/\\]+)\.py", line (\d{1,6})')
_RAISED = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Stopped|Interrupt|Exit))(?::|$)")
_PACKAGES = ("PySide6", "whoosh-reloaded", "onnxruntime", "numpy", "apsw", "pypdfium2", "openai", "keyring")
_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log file; `level` is that of the entry it belongs to."""

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Installation:
    """What was read from the disk: versions by name, places by name, the size of all data in bytes, and the log."""

    versions: tuple[tuple[str, str], ...]
    places: tuple[tuple[str, Path], ...]
    size: int
    log: tuple[LogLine, ...]


def installation(home: Path, logs: Sequence[Path], stop: Stop) -> Installation:
    """Return versions, folders, size and log of this installation; reads the disk, so call it in the background."""
    places = (("data", home), *(("log", path) for path in logs))
    return Installation(_versions(), places, folder_size(home, stop), log_tail(logs, stop))


def folder_size(folder: Path, stop: Stop) -> int:
    """Return the bytes of all files in a folder; links are not followed."""
    total, waiting = 0, [folder]
    while waiting:
        stop.check()
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
    return total


def log_tail(files: Sequence[Path], stop: Stop) -> tuple[LogLine, ...]:
    """Return the last lines of log files, the newest entry last."""
    entries: list[tuple[str, list[LogLine]]] = []
    for file in files:
        stop.check()
        with suppress(OSError), file.open("rb") as opened:
            opened.seek(0, os.SEEK_END)
            opened.seek(max(0, opened.tell() - TAIL))
            for text in opened.read(TAIL).decode("utf-8", "replace").splitlines():
                if head := _LINE.match(text):
                    entries.append((head[1], [LogLine(head[2], text)]))
                elif entries and text.strip():  # of a traceback, or of a message with several lines
                    entries[-1][1].append(LogLine(entries[-1][1][0].level, text))
    entries.sort(key=lambda entry: entry[0])
    return tuple(line for _, lines in entries for line in lines)[-MOST_LINES:]


def endpoint_hosts(settings: Settings) -> tuple[tuple[str, bool, bool], ...]:
    """Return (host, is in use, is this computer) of each endpoint."""
    found: dict[str, bool] = {}
    for profile in settings.profiles:
        host = host_of(profile.base_url)
        found[host] = found.get(host, False) or profile.name == settings.active_profile
    return tuple((host, used, host in _LOCAL) for host, used in found.items() if host)


def report(known: Installation, settings: Settings, status: LibraryStatus) -> str:
    """Return a text for a bug report without names of people, computers, endpoints or documents."""
    folders = status.folders
    hosts = endpoint_hosts(settings)
    counts = {name: sum(getattr(folder, name) for folder in folders) for name in ("found", "searchable", "ready")}
    lines = [
        *(f"{name}: {value}" for name, value in known.versions),
        f"Data: {known.size} bytes",
        f"Folders: {len(folders)} ({', '.join(sorted(folder.state for folder in folders))})",
        *(f"Files {name}: {count}" for name, count in counts.items()),
        f"Files skipped: {sum(f.skipped for f in folders)}, failed: {sum(f.failed for f in folders)}",
        f"Work: {status.phase}, hold: {status.hold or 'none'}, trouble: {'yes' if status.trouble else 'no'}",
        f"Endpoints: {len(hosts)}, here: {sum(here for *_, here in hosts)}, one in use: {_yes(settings.profile())}",
        f"Method: {settings.toolkit}, text: {settings.font_percent} %, {settings.density}, theme: {settings.theme}",
        f"Limits: {settings.limits}",
        "",
        *_reported(known.log),
    ]
    return _masked("\n".join(lines), (*_own_names(), *(host for host, *_ in hosts), host_of(settings.update_address)))


def _reported(log: Sequence[LogLine]) -> list[str]:
    found, errors = [], _error_names(BaseException)
    for line in log:
        if head := _LINE.match(line.text):  # a name with a line break may look like one
            found.append(f"{head[1]} {head[2]} {head[3] + (head[4] or '') if _is_ours(head[3]) else 'another library'}")
        elif (frame := _FRAME.match(line.text)) and _is_ours(re.sub(r"[/\\]", ".", frame[1])):
            found.append(f"  {frame[1]}.py:{frame[2]}")
        elif raised := _RAISED.match(line.text):
            name = raised[1].rpartition(".")[2]
            found.append(f"  {name if name in errors else 'another error'}")
    return found[-_REPORTED_LINES:]


def _is_ours(name: str) -> bool:
    """Return whether a module of ours has this name, also in a frozen program; nothing is imported to find out."""
    program, *parts = name.removesuffix(".__init__").split(".")
    folders = list(desktop_rag.__path__)
    for part in parts:
        if part not in {module.name for module in pkgutil.iter_modules(folders)}:
            return False
        folders = [os.path.join(folder, part) for folder in folders]  # noqa: PTH118 — as the importer spells them
    return program == desktop_rag.__name__


def _error_names(kind: type[BaseException]) -> set[str]:
    return {kind.__name__}.union(*map(_error_names, type.__subclasses__(kind)))


def _masked(text: str, names: Iterable[str]) -> str:
    """Replace names that have come in all the same; shorter ones are parts of ordinary words."""
    for name in sorted({name for name in names if len(name) > 3}, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", "…", text, flags=re.IGNORECASE)
    return text


def _own_names() -> tuple[str, ...]:
    names = [str(Path.home()), platform.node(), socket.gethostname()]
    with suppress(OSError, KeyError, ImportError):
        names.append(getpass.getuser())
    return tuple(names)


def _versions() -> tuple[tuple[str, str], ...]:
    found = [
        ("Desktop RAG", __version__),
        ("System", f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("Python", platform.python_version()),
        ("Qt", qVersion()),
        ("Processors", str(os.cpu_count() or 0)),
    ]
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            found.append((package, version(package)))
    return tuple(found)


def host_of(url: str) -> str:
    """Return the host of an address, "" if it has none."""
    with suppress(ValueError):
        return urlsplit(url).hostname or ""
    return ""


def _yes(value: object) -> str:
    return "yes" if value is not None else "no"


# The settings page for finding faults: versions, the state of the index, a check of it, the log, a report to copy.

_LEVELS = ("INFO", "WARNING", "ERROR")
_FROM = {"INFO": ("INFO", "WARNING", "ERROR", "CRITICAL"), "WARNING": ("WARNING", "ERROR", "CRITICAL")}
_ALARMING = ("ERROR", "CRITICAL")


class DiagnosticsPage(ScrolledPage):
    """Shows what was collected in the background; the check runs in the indexer's process."""

    refresh_requested = Signal()  # read versions, sizes and logs again
    check_requested = Signal()  # check the library
    check_stopped = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._known: Installation | None = None
        self._status: LibraryStatus | None = None
        self._checking = False
        self._parts: list[PartCheck] = []
        self.add_heading(self.tr("State of the library"))
        self._health = self.add_words()
        self._checked = self.add_words()
        self._check = QPushButton(self.tr("Check now"), self.inside)
        self._check.setAccessibleDescription(self.tr("Compare every part of the library with what was stored"))
        self.column.addLayout(in_row(self._check, STRETCH))
        self.add_heading(self.tr("Log"))
        self._level = QComboBox(self.inside)
        self._level.setAccessibleName(self.tr("Lines of the log"))
        for name, level in zip((self.tr("All"), self.tr("Warnings"), self.tr("Errors")), _LEVELS, strict=True):
            self._level.addItem(name, level)
        self._refresh = QPushButton(self.tr("Read again"), self.inside)
        self._copy = QPushButton(self.tr("Copy a report"), self.inside)
        self._copy.setEnabled(False)
        self.column.addLayout(in_row(self._level, self._refresh, STRETCH))
        self._log = QPlainTextEdit(self.inside)
        self._log.setReadOnly(True)
        self._log.setAccessibleName(self.tr("Log"))
        self._log.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._log.setFont(mono_font(-1))
        self._log.setMinimumHeight(20 * GRID)
        self._log.setTabChangesFocus(True)
        set_role(self._log, "field")
        self.column.addWidget(self._log, 1)
        about = self.tr(
            "The report names no folder, document, person, computer or model, and has no message of the log."
        )
        self._about = self.add_words(about)
        self.column.addLayout(in_row(self._copy, STRETCH))
        self.add_heading(self.tr("Versions and places"))
        self._versions = self.add_words(self.tr("They are being collected …"))
        self._check.clicked.connect(self._on_check_clicked)
        self._refresh.clicked.connect(self.refresh_requested)
        self._level.currentIndexChanged.connect(self._show_log)
        self._copy.clicked.connect(self._on_copy_clicked)

    def report(self) -> str:
        """Return the text to copy; empty until everything is known."""
        return report(self._known, self._settings, self._status) if self._known and self._status else ""

    def show_installation(self, known: Installation) -> None:
        """Show versions, places and the log."""
        self._known = known
        names = {"data": self.tr("Data folder"), "log": self.tr("Log")}
        said = {"System": self.tr("System"), "Processors": self.tr("Processors")}
        places = [self.tr("{0}: {1}").format(names.get(n, n), shown_path(bytes(path))) for n, path in known.places]
        self._versions.setText(
            "\n".join([" · ".join(f"{said.get(name, name)} {value}" for name, value in known.versions), *places])
        )
        self._show_log()
        self._copy.setEnabled(self._status is not None)

    def show_health(self, status: LibraryStatus) -> None:
        """Show the counts of the library."""
        self._status = status
        folders = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
        found = sum(folder.found for folder in folders)
        pictures = sum(folder.pictures for folder in folders)
        lines = [
            counted(self.tr("%Ln file(s) found", "", found), found),
            self.tr("{0} searchable by words").format(number(sum(folder.searchable for folder in folders))),
            self.tr("{0} by meaning").format(number(sum(folder.ready for folder in folders))),
            left_out_text(sum(folder.failed + folder.skipped for folder in folders), pictures),
        ]
        self._health.setText("\n".join(filter(None, [" · ".join(filter(None, lines)), status.trouble])))
        self._copy.setEnabled(self._known is not None)

    def show_part(self, part: PartCheck) -> None:
        """Show the result for one more part of the library."""
        self._parts.append(part)
        if self._checking:
            self._checked.setText(self.tr("Checked: {0}").format(self._names(self._parts)))

    def end_check(self, error: str = "") -> None:
        """Show the outcome of the check, or why it could not be finished."""
        if not self._checking:
            return
        self._checking = False
        self._check.setText(self.tr("Check now"))
        damaged = [part for part in self._parts if not part.holds]
        if error:
            self._say(error, trouble=True)
        elif damaged:
            repaired = self.tr("Damaged: {0}. It is being repaired in the background, from what is stored.")
            self._say(repaired.format(self._names(damaged)), trouble=True)
        elif self._parts:
            self._say(self.tr("Everything is as it was stored: {0}.").format(self._names(self._parts)))
        else:
            self._say(self.tr("The check was stopped."))

    def _say(self, text: str, *, trouble: bool = False) -> None:
        set_role(self._checked, "trouble" if trouble else "muted")
        self._checked.setText(text)

    def _names(self, parts: Sequence[PartCheck]) -> str:
        names = {
            "I0": self.tr("database"),
            "I2": self.tr("texts"),
            "I3": self.tr("keyword index"),
            "I4": self.tr("list of vectors"),
            "I5": self.tr("vectors"),
            "I6": self.tr("state of the copies"),
        }
        return ", ".join(names.get(part.invariant, part.invariant) for part in parts)

    def _on_check_clicked(self) -> None:
        if self._checking:
            self._parts = []
            self.check_stopped.emit()
            self.end_check()
            return
        self._checking, self._parts = True, []
        self._check.setText(self.tr("Stop"))
        self._say(self.tr("The library is being checked …"))
        self.check_requested.emit()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.report())
        self._about.setText(self.tr("The report is on the clipboard."))

    def _show_log(self) -> None:
        level = str(self._level.currentData())
        wanted = _FROM.get(level, _ALARMING)
        lines: tuple[LogLine, ...] = self._known.log if self._known is not None else ()
        shown = [line.text for line in lines if line.level in wanted]
        self._log.setPlainText("\n".join(shown) or self.tr("Nothing of this kind was logged."))
        self._log.verticalScrollBar().setValue(self._log.verticalScrollBar().maximum())
