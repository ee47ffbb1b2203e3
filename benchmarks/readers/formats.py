"""One real file of each suffix: are its words found by our reader, and by Recoll?

Both sides give words: three of our text are searched for with `recollq`, three of Recoll's text in ours. A suffix whose
words only Recoll finds misses the goal.
"""

import argparse
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.libraries.pipeline import COMMAND, PACKAGE, PEER, index_recoll
from benchmarks.peer_tools import absent_program
from benchmarks.readers.endings import files_below
from benchmarks.readers.tools import OurReader
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.documents.file_types import SUFFIXES
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine

ASKED = 3  # words of each side
_WORD = re.compile(r"(?<![\w'’.-])[A-Za-z]{5,20}(?![\w'’.-])")
_ABOUT = re.compile(  # lines of `recollq -d` that are no text
    r"Recoll query: .*|\d+ results.*|.*\t\[file://.*|Cant turn to text:.*|== Entry .*"
)
_LEAST, _MOST = 20, 4_000_000  # bytes of a file
_ALL = "0-1000"  # hits

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trial:
    """The words of one file that each side was asked for and found; `asked` is 0 where neither has any."""

    path: Path
    asked: int
    ours: int
    recoll: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument(
        "--corpus",
        type=Path,
        nargs="+",
        required=True,
        metavar="FOLDER",
        help="take files from these folders, in order",
    )
    parser.add_argument("--tries", type=int, default=3, metavar="N", help="files of a suffix until one has words (3)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Try one file of each suffix with both programs."""
    if missing := absent_program(PEER, COMMAND, PACKAGE):
        raise BenchError(missing)
    files = chosen([file for folder in options.corpus for file in files_below(folder, 10**9)], options.tries)
    trials = {suffix: best(trials) for suffix, trials in tried(files, say).items()}
    named = {suffix: trial for suffix, trial in trials.items() if trial.asked}
    rows = [
        Measurement(f".{suffix}: words found, of {trial.asked}", subject, "words", (float(count),), "more")
        for suffix, trial in named.items()
        for subject, count in ((OURS, trial.ours), (PEER, trial.recoll))
    ]
    only = {
        OURS: [suffix for suffix, trial in named.items() if trial.ours and not trial.recoll],
        PEER: [suffix for suffix, trial in named.items() if trial.recoll and not trial.ours],
    }
    both = sum(1 for trial in named.values() if trial.ours and trial.recoll)
    rows.append(Measurement("suffixes whose words both find", OURS, "suffixes", (float(both),), "more"))
    rows += [
        Measurement(f"suffixes whose words only {side} finds", OURS, "suffixes", (float(len(found)),), goal=goal)
        for (side, found), goal in zip(only.items(), (None, 0.0), strict=True)
    ]
    notes = [f"Only {side}: {', '.join(found) or 'none'}." for side, found in only.items()]
    notes.append(f"No words in either: {', '.join(sorted(set(trials) - set(named))) or 'none'}.")
    notes.append(f"No file at hand: {', '.join(sorted(set(SUFFIXES) - set(trials)))}.")
    return Report("Words found, by format", tuple(rows), tuple(notes), this_machine())


def chosen(files: Sequence[Path], tries: int) -> dict[str, list[Path]]:
    """Return the first files of each suffix that is read."""
    found = defaultdict[str, list[Path]](list)
    for file in files:
        suffix = file.suffix[1:].lower()
        if suffix in SUFFIXES and len(found[suffix]) < tries and _LEAST <= file.stat().st_size <= _MOST:
            found[suffix].append(file)
    return {suffix: paths for suffix, paths in sorted(found.items()) if paths}


def tried(files: Mapping[str, Sequence[Path]], say: Say) -> dict[str, list[Trial]]:
    """Read and index all files, each in a folder of its own; return the trials by suffix."""
    reader = OurReader()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as name:
        documents = Path(name, "documents")
        copies = [(suffix, file) for suffix, paths in files.items() for file in paths]
        for number, (_, file) in enumerate(copies):
            (documents / str(number)).mkdir(parents=True)
            shutil.copyfile(file, documents / str(number) / file.name)
        say(f"{PEER}: {len(copies):,} files …")
        index_recoll(Path(name, "recoll"), documents)
        found = defaultdict[str, list[Trial]](list)
        try:
            for number, (suffix, file) in enumerate(copies):
                say(f"{file.name} …")
                text = reader.extract(file).text or ""
                trial = compared(text, Path(name, "recoll"), documents / str(number))
                found[suffix].append(replace(trial, path=file))
        finally:
            reader.close()
        return found


def compared(text: str, index: Path, folder: Path) -> Trial:
    """Look for words of each side in the other."""
    shown = _recollq(index, "-d", f"dir:{folder}")
    theirs = "\n".join(line for line in shown.splitlines() if not _ABOUT.fullmatch(line))
    asked = sorted({*words_of(text), *words_of(theirs)})
    has = set(map(str.casefold, re.findall(r"\w+", text)))
    by_recoll = sum(bool(_recollq(index, "-b", f'dir:{folder} "{word}"').strip()) for word in asked)
    return Trial(folder, len(asked), sum(word in has for word in asked), by_recoll)


def words_of(text: str) -> Iterator[str]:
    """Yield up to three different words from the whole length of a text."""
    words = list(dict.fromkeys(map(str.casefold, _WORD.findall(text))))
    yield from (words[place] for place in sorted({len(words) * part // (2 * ASKED) for part in (1, 3, 5)}) if words)


def best(trials: Sequence[Trial]) -> Trial:
    """Return the trial of which most was found, by whichever side."""
    return max(trials, key=lambda trial: trial.ours + trial.recoll)


def _recollq(index: Path, form: str, query: str) -> str:
    command = ["recollq", "-c", str(index), form, "-n", _ALL, query]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
