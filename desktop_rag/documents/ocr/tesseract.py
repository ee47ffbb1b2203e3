"""Tesseract, an external program, started for each page with the restrictions of a reader child.

The page goes in and the lines come out through pipes; the program may read its own data and write nothing.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from desktop_rag.documents.document import Box
from desktop_rag.documents.ocr.recognised_lines import DOTS_PER_INCH, MIN_CONFIDENCE, RecognisedLine
from desktop_rag.documents.render.painter_messages import PagePainted
from desktop_rag.documents.sandbox.process_limits import limit_this_process
from desktop_rag.errors import DocumentError, ProcessError
from desktop_rag.processes.child import own_command, plain_environment
from desktop_rag.processes.confinement.confine import confine_engine
from desktop_rag.stop import Stop

MEMORY_MEGABYTES = 1536
CPU_SECONDS = 120
WALL_SECONDS = 480.0
LONGEST_OUTPUT = 8 * 1024 * 1024  # bytes; ten times that of a page of small print

_NICENESS = 15
_MAX_LANGUAGES = 3  # each one slows it down
_MIN_VERSION = "4."
_WINDOWS = r"C:\Program Files\Tesseract-OCR\tesseract.exe"
_NOT_LANGUAGES = {"osd", "equ", "snum"}  # data files that are not languages
_NEEDED = ("PYTHONPATH", "SYSTEMROOT")
_KEPT = ("TESSDATA_PREFIX",)
_TESSERACT_LANGUAGES = {  # by the language of the system
    "ar": "ara", "bg": "bul", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "es": "spa", "fi": "fin",
    "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun", "it": "ita", "ja": "jpn", "ko": "kor", "nb": "nor",
    "nl": "nld", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "th": "tha", "tr": "tur",
    "uk": "ukr", "vi": "vie", "zh": "chi_sim",
}  # fmt: skip


def find() -> "Tesseract | None":
    """Return the engine if the program is installed with at least one language."""
    program = shutil.which("tesseract") or (_WINDOWS if sys.platform == "win32" and Path(_WINDOWS).is_file() else None)
    if program is None:
        return None
    version = _query(program, "--version").partition("\n")[0].removeprefix("tesseract").strip().removeprefix("v")
    installed = [name for name in _query(program, "--list-langs").splitlines()[1:] if "/" not in name]
    languages = _choose_languages(set(installed) - _NOT_LANGUAGES, os.environ.get("LANG", ""))
    if version < _MIN_VERSION or not languages:
        return None
    return Tesseract(program, version, languages)


class Tesseract:
    """The engine with the languages it recognises."""

    def __init__(self, program: str, version: str, languages: tuple[str, ...]) -> None:
        self._program = program
        self._languages = languages
        self.name = f"Tesseract {version} ({', '.join(languages)})"

    def recognise(self, page: PagePainted, stop: Stop) -> tuple[RecognisedLine, ...]:
        """Return the lines of a page in reading order; raises `DocumentError`, `Stopped` or `ProcessError`."""
        arguments = ("stdin", "stdout", "-l", "+".join(self._languages), "--dpi", str(DOTS_PER_INCH), "tsv")
        command = [self._program, *arguments]
        if os.name == "posix":
            command = own_command("_tesseract", *command)
        data = _run(command, _portable_pixmap(page), stop)
        return parse_tsv(data.decode("utf-8", "replace"), page.scale)

    def close(self) -> None:
        """Do nothing: no process runs between two pages."""


def main(arguments: list[str]) -> int:
    """Restrict this process, then execute the program in `arguments` in its place."""
    program = arguments[0]
    limit_this_process(MEMORY_MEGABYTES, CPU_SECONDS, niceness=_NICENESS)
    confine_engine(program, _data_folders(program))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.execve(program, arguments, {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C", **kept})


def parse_tsv(table: str, scale: float) -> tuple[RecognisedLine, ...]:
    """Return the lines in the TSV output of the program, whose boxes are in pixels."""
    lines: list[RecognisedLine] = []
    words: list[list[str]] = []
    paragraph: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    for row in (*(line.split("\t") for line in table.splitlines()[1:]), ["5"] + [""] * 11):
        if len(row) != 12 or row[0] != "5":
            continue
        if tuple(row[1:5]) != key and words:
            line = _line(words, scale, begins=tuple(words[0][1:4]) != paragraph)
            if line is not None:
                paragraph = tuple(words[0][1:4])
                lines.append(line)
            words = []
        key = tuple(row[1:5])
        words.append(row)
    return tuple(lines)


def _line(words: list[list[str]], scale: float, *, begins: bool) -> RecognisedLine | None:
    recognised = [word for word in words if word[11].strip()]
    confidence = sum(float(word[10]) for word in recognised) / (100 * max(1, len(recognised)))
    text = " ".join(word[11].strip() for word in recognised)
    if confidence < MIN_CONFIDENCE or not any(map(str.isalnum, text)):
        return None
    left = min(int(word[6]) for word in recognised)
    top = min(int(word[7]) for word in recognised)
    right = max(int(word[6]) + int(word[8]) for word in recognised)
    bottom = max(int(word[7]) + int(word[9]) for word in recognised)
    return RecognisedLine(text, Box(left / scale, top / scale, right / scale, bottom / scale), begins)


def _portable_pixmap(page: PagePainted) -> bytes:
    """Return the page as a PPM image, which needs no compression."""
    rows = page.pixels
    if page.stride != 3 * page.width:
        view = memoryview(page.pixels)
        rows = b"".join(view[y * page.stride : y * page.stride + 3 * page.width] for y in range(page.height))
    return b"P6 %d %d 255\n" % (page.width, page.height) + rows


def _run(command: list[str], data: bytes, stop: Stop) -> bytes:
    """Run a program with `data` on stdin and return its output; kill it when it exceeds the time or output limit."""
    stop.check()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise ProcessError(f"Tesseract cannot be started ({error}).") from error
    assert process.stdin is not None
    assert process.stdout is not None
    limit = threading.Timer(WALL_SECONDS, process.kill)
    feeding = threading.Thread(target=_feed, args=(process.stdin, data), daemon=True)
    with process, stop.interrupting(process.kill):
        limit.start()
        feeding.start()
        try:
            printed = process.stdout.read(LONGEST_OUTPUT + 1)
            if len(printed) <= LONGEST_OUTPUT:
                process.wait()
        finally:
            limit.cancel()
            process.kill()
            process.wait()
            feeding.join()
    stop.check()
    if process.returncode != 0 or len(printed) > LONGEST_OUTPUT:
        raise DocumentError("The text of this page could not be recognised.")
    return printed


def _feed(stream: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError):  # it has ended; its exit code says why
        stream.write(data)
    with contextlib.suppress(OSError):
        stream.close()


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {name: value for name, value in plain_environment().items() if name in _NEEDED} | kept


def _query(program: str, option: str) -> str:
    """Return the output of the program for an option such as --version, or an empty string."""
    try:
        done = subprocess.run(
            [program, option],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout or done.stderr


def _choose_languages(installed: Iterable[str], locale: str) -> tuple[str, ...]:
    """Return the languages to recognise: at most three, the system language and English first."""
    own = _TESSERACT_LANGUAGES.get(locale[:2], "")
    ordered = sorted(installed, key=lambda name: (name != own, name != "eng", name))
    return tuple(ordered[:_MAX_LANGUAGES])


def _data_folders(program: str) -> list[str]:
    """Return the folders that may contain the program's data."""
    share = Path(program).resolve().parent.parent / "share"
    given = os.environ.get("TESSDATA_PREFIX")
    return [*((given,) if given else ()), *(str(share / name) for name in ("tesseract-ocr", "tessdata"))]
