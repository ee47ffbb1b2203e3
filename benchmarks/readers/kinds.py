"""Outcome, speed and amount of text of files of all formats in the reader process, against public tools.

Only files in which both we and the other tool found text are compared.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.peer_tools import absent_program
from benchmarks.readers.endings import TEXT, Ending, files_below, read_all
from benchmarks.readers.recall import package_text, recall
from benchmarks.readers.tools import (
    MUTOOL,
    PANDOC,
    Extracted,
    OurReader,
    PythonPeer,
    has,
    mutool_text,
    pandoc_text,
    python_peer,
)
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.paths import resources

MARKITDOWN = "markitdown"
GOALS: Mapping[str, float] = {"docx": 5.0, "pptx": 5.0, "xlsx": 5.0, "html": 2.0}  # times markitdown's files per second
PDF_GOALS: Mapping[str, float] = {"text alone": 0.8, "lines with positions": 0.4}  # times mutool's pages per second
LEAST_RECALL = 0.98
_SHOWN_WORDS = 8
_HTML = ("html", "htm")

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--corpus", type=Path, default=resources() / "sample", metavar="FOLDER", help="read its files")
    parser.add_argument("--files", type=int, default=sys.maxsize, metavar="N", help="maximum number of files (all)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds of the speed measurement (3)")
    parser.add_argument(
        "--sample", type=int, default=40, metavar="N", help="files per format whose words are compared (40)"
    )
    parser.add_argument(
        "--peer-python",
        default=sys.executable,
        metavar="PATH",
        help="an interpreter with markitdown",
    )
    parser.add_argument("--endings", type=Path, metavar="FILE", help="write the outcome and reason of each file")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Read every file, then compare speed and text with the installed tools."""
    files = files_below(options.corpus, options.files)
    endings = read_all(files, say)
    if options.endings:
        _write(options.endings, endings.table())
    read = [ending for ending in endings.each if ending.outcome == TEXT]
    rows, notes = list(endings.rows()), list(endings.notes())
    ours = OurReader()
    try:
        if missing := absent_program(MUTOOL, MUTOOL, "mupdf-tools"):
            notes.append(missing)
        else:
            rows += _pdf(read, options.rounds, say)
        with python_peer(options.peer_python) as peer:
            notes += [f"{name} {version}" for name, version in peer.versions.items()]
            if MARKITDOWN in peer.versions:
                rows += _office(ours, peer, read, options.rounds, say)
                rows += _recalls(ours, peer, read, options.sample, notes, say)
            else:
                notes.append(f"{MARKITDOWN} is left out: --peer-python does not name an interpreter that has it.")
    finally:
        ours.close()
    return Report("Readers", tuple(rows), tuple(notes), this_machine())


def _pdf(read: Sequence[Ending], rounds: int, say: Say) -> Iterator[Measurement]:
    from benchmarks.readers.pdf_opening import MUTOOL as BARE
    from benchmarks.readers.pdf_opening import seconds_by_way

    pairs = [(ending.path, ending.pages) for ending in read if ending.path.suffix.lower() == ".pdf"]
    pairs = [(path, pages) for path, pages in pairs if (mutool_text(path).text or "").strip()]
    if not pairs:
        return
    pages = sum(count for _, count in pairs)
    say(f"{len(pairs)} PDF files of {pages:,} pages, {rounds} times …")
    seconds = seconds_by_way([path for path, _ in pairs], rounds)
    rates = {way: tuple(pages / max(value, 1e-3) for value in values) for way, values in seconds.items()}
    for way, goal in PDF_GOALS.items():
        what = f"PDF, {len(pairs)} files of {pages:,} pages, {way}"
        yield Measurement(what, OURS, "pages/s", rates[way], "more")
        yield Measurement(what, BARE, "pages/s", rates[BARE], "more", goal)


def _office(ours: OurReader, peer: PythonPeer, read: Sequence[Ending], rounds: int, say: Say) -> Iterator[Measurement]:
    for kind, goal in GOALS.items():
        paths = [path for path in _of_kind(read, kind) if (peer.extract(MARKITDOWN, path).text or "").strip()]
        if not paths:
            continue
        what = f"{kind}, {len(paths)} files"
        tools = {OURS: ours.extract, MARKITDOWN: lambda path: peer.extract(MARKITDOWN, path)}
        for subject, seconds in _in_turns(tools, paths, rounds, what, say).items():
            rates = tuple(len(paths) / value for value in seconds)
            yield Measurement(what, subject, "files/s", rates, "more", goal if subject != OURS else None)


def _in_turns(
    tools: Mapping[str, Callable[[Path], Extracted]], paths: Sequence[Path], rounds: int, what: str, say: Say
) -> dict[str, tuple[float, ...]]:
    """Return the CPU seconds of each tool for all files in each round, after a warm-up round."""
    seconds: dict[str, list[float]] = {name: [] for name in tools}
    for number in range(rounds + 1):
        say(f"{what}: round {number} of {rounds} …")
        for name, extract in tools.items():
            spent = sum(extract(path).cpu for path in paths)
            if number:
                seconds[name].append(max(spent, 1e-3))
    return {name: tuple(values) for name, values in seconds.items()}


def _recalls(
    ours: OurReader, peer: PythonPeer, read: Sequence[Ending], sample: int, notes: list[str], say: Say
) -> Iterator[Measurement]:
    if not has(PANDOC):
        notes.append(absent_program(PANDOC, PANDOC, PANDOC))
    for kind in GOALS:
        found = wanted = 0
        worst: tuple[float, str] = (1.0, "")
        paths = _spread(_of_kind(read, kind), sample)
        for path in paths:
            say(f"{path.name}: comparing words …")
            others = [text for text in _others(peer, kind, path) if text]
            have, all_, missing = recall(ours.extract(path).text or "", others)
            found, wanted = found + have, wanted + all_
            if all_ and have / all_ < worst[0]:
                worst = have / all_, f"{path.name} lacks {', '.join(sorted(missing)[:_SHOWN_WORDS])}"
        if wanted:
            what = f"{kind}, {len(paths)} files: recall of the other tools' words"
            yield Measurement(what, OURS, "of 1", (found / wanted,), "more", LEAST_RECALL)
            if worst[1]:
                notes.append(f"{kind}: minimum {worst[0]:.3f}, {worst[1]}")


def _others(peer: PythonPeer, kind: str, path: Path) -> Iterator[str | None]:
    """Yield the texts of two independent extractors; for a web page two that remove menus, as ours does."""
    if kind == "html":
        for tool in ("trafilatura", "readability-lxml"):
            yield peer.extract(tool, path).text if tool in peer.versions else None
        return
    yield peer.extract(MARKITDOWN, path).text
    yield pandoc_text(path).text if kind == "docx" and has(PANDOC) else package_text(path)


def _of_kind(read: Sequence[Ending], kind: str) -> list[Path]:
    suffixes = _HTML if kind == "html" else (kind,)
    return [ending.path for ending in read if ending.path.suffix.lower().lstrip(".") in suffixes]


def _spread(paths: Sequence[Path], count: int) -> list[Path]:
    """Return `count` of the paths, evenly spaced."""
    if len(paths) <= count:
        return list(paths)
    return [paths[place * len(paths) // count] for place in range(count)]


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"The outcomes cannot be written to {file}: {error.strerror}") from error
