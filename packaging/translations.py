"""The catalogues of the window's text: `python packaging/translations.py update | compile | check`.

`update` collects the text of the source code into `resources/translations/*.ts` and keeps what is translated; what the
program adds to an answer it also writes, with its translations, for the command line, which has no Qt. `compile` makes
the `.qm` files that Qt loads; `check` lists what is missing. Standard library, and Qt's lrelease for `compile`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from itertools import repeat
from pathlib import Path

from translatable import ERRORS, PLURAL, ROOT, Message, answer_notes, messages, sentences

FOLDER = ROOT / "resources" / "translations"
SENTENCES = FOLDER / "sentences.txt"
NOTES = FOLDER / "answer_notes.tsv"
LANGUAGES = {"de": 2, "zh_CN": 1}  # the number of plural forms
NAME = "desktop_rag"


def catalogue(language: str) -> Path:
    """Return the catalogue of a language."""
    return FOLDER / f"{NAME}_{language}.ts"


def translated(path: Path) -> dict[Message, tuple[str, ...]]:
    """Return what a catalogue translates; a text with forms by number has one for each."""
    known: dict[Message, tuple[str, ...]] = {}
    if not path.exists():
        return known
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            entry = message.find("translation")
            forms = () if entry is None else tuple(form.text or "" for form in entry.iter("numerusform"))
            words = forms or (() if entry is None else (entry.text or "",))
            if words and all(words):
                known[Message(context.findtext("name") or "", message.findtext("source") or "")] = words
    return known


def write(path: Path, language: str, wanted: set[Message], known: Mapping[Message, tuple[str, ...]]) -> None:
    """Write a catalogue with everything that is wanted, in order."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    contexts: dict[str, ET.Element] = {}
    for message in sorted(wanted):
        if message.context not in contexts:
            contexts[message.context] = ET.SubElement(root, "context")
            ET.SubElement(contexts[message.context], "name").text = message.context
        entry = ET.SubElement(contexts[message.context], "message")
        ET.SubElement(entry, "source").text = message.source
        words = known.get(message, ())
        target = ET.SubElement(entry, "translation")
        if not words:
            target.set("type", "unfinished")
        if message.plural:
            entry.set("numerus", "yes")
            for form in words or ("",) * LANGUAGES[language]:
                ET.SubElement(target, "numerusform").text = form
        elif words:
            target.text = words[0]
    ET.indent(root, "  ")
    text = ET.tostring(root, encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{text}\n', encoding="utf-8")


def update() -> int:
    """Collect the text of the source code; return 0."""
    FOLDER.mkdir(exist_ok=True)
    wanted = messages(ROOT / "desktop_rag")
    SENTENCES.write_text(
        "".join(f"{on_one_line(text)}\n" for text in sentences(ROOT / "desktop_rag")), encoding="utf-8"
    )
    for language in LANGUAGES:
        known = translated(catalogue(language))
        write(catalogue(language), language, wanted, known)
        print(f"{language}: {len(wanted)} texts, {len(wanted - known.keys())} not translated")
    NOTES.write_text("".join(f"{row}\n" for row in note_rows()), encoding="utf-8")
    return 0


def note_rows() -> Iterator[str]:
    """Yield the languages, and each sentence that the program adds to an answer in them, after the English one."""
    known = [translated(catalogue(language)) for language in LANGUAGES]
    yield "\t".join(("en", *LANGUAGES))
    for text in answer_notes(ROOT / "desktop_rag"):
        yield "\t".join(map(on_one_line, (text, *("".join(one.get(Message(ERRORS, text), ())) for one in known))))


def on_one_line(text: str) -> str:
    """Return a text with its line breaks escaped."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def compiled(folder: Path = FOLDER) -> bool:
    """Return whether every compiled catalogue is newer than its source."""
    return not any(map(_stale, LANGUAGES, repeat(folder)))


def _stale(language: str, folder: Path) -> bool:
    source, target = catalogue(language), folder / f"{NAME}_{language}.qm"
    return not target.exists() or target.stat().st_mtime_ns <= source.stat().st_mtime_ns


def compile_catalogues(to: Path = FOLDER) -> int:
    """Make the files that Qt loads, where they are older than their catalogue; return 0, or what lrelease returns."""
    import PySide6  # dev.py imports this module before anything is installed

    release = Path(PySide6.__file__).parent / "lrelease"
    for language in LANGUAGES:
        if not _stale(language, to):
            continue
        target = to / f"{NAME}_{language}.qm"
        made = target.with_suffix(".new")  # a running window has the old file mapped: it must not be written to
        if failed := subprocess.call([str(release), "-silent", str(catalogue(language)), "-qm", str(made)]):
            made.unlink(missing_ok=True)
            return failed
        made.replace(target)
    return 0


def missing() -> Iterator[str]:
    """Yield a line for everything that a catalogue lacks, or has besides."""
    wanted = messages(ROOT / "desktop_rag")
    if SENTENCES.read_text(encoding="utf-8").splitlines() != [*map(on_one_line, sentences(ROOT / "desktop_rag"))]:
        yield f"{SENTENCES.name}: the sentences of the errors have changed"
    if NOTES.read_text(encoding="utf-8").splitlines() != [*note_rows()]:
        yield f"{NOTES.name}: what is added to answers, or its translation, has changed"
    for language in LANGUAGES:
        known = translated(catalogue(language))
        for message in sorted(wanted - known.keys()):
            yield f"{language}: not translated: {message.context}: {message.source}"
        for message in sorted(known.keys() - wanted):
            yield f"{language}: no longer in the program: {message.context}: {message.source}"
        yield from (f"{language}: {trouble}" for trouble in faults(known, LANGUAGES[language]))


def faults(known: Mapping[Message, tuple[str, ...]], forms: int) -> Iterator[str]:
    """Yield translations whose placeholders, line breaks or numbers of forms are not those of the text."""
    for message, words in sorted(known.items()):
        if message.plural and len(words) != forms:
            yield f"{len(words)} forms instead of {forms}: {message.source}"
        for text in words:
            if _placeholders(text) | {PLURAL} != _placeholders(message.source) | {
                PLURAL
            }:  # “both files” needs no number
                yield f"other placeholders: {message.source} → {text}"


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{\w*\}|%L?n|%\d|</?\w+", text))


def main(arguments: list[str]) -> int:
    """Run one command; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("update", "compile", "check"))
    match parser.parse_args(arguments).command:
        case "update":
            return update()
        case "compile":
            return compile_catalogues()
        case _:
            found = list(missing())
            print("\n".join(found) or "All catalogues are complete")
            return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
