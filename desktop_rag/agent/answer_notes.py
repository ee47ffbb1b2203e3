"""What the program adds to an answer, in the language of the question; answers are stored in English.

For other languages the window translates it into its own, by Qt's catalogues. The table here is made from these by
`packaging/translations.py update`.
"""

import re
from collections.abc import Mapping
from functools import cache

from desktop_rag.paths import resources
from desktop_rag.text.language_detection import language_of_query

_PLACE = "{0}"
_MARKS = {"de": r"„\1“"}  # quotation marks that differ from those of English
_QUOTED = re.compile("“([^“”]*)”")
_FILLED = "(?:“[^”\n]*”|[^“”\n])*?"  # a quoted word may have the sign that ends a sentence


def note_language(question: str) -> str:
    """Return the language of a question if notes are translated into it, by the name of its catalogue; else ""."""
    return catalogue_of(language_of_query(question))


def in_language_of(question: str, text: str) -> str:
    """Return a text with the notes in it translated, if the question's language is one of those of the program."""
    language = language_of_query(question)
    known = _notes(language)
    if not known:
        return text

    def translated(found: re.Match[str]) -> str:
        groups = found.groupdict()
        name = next(each for each, value in groups.items() if each.startswith("note") and value is not None)
        template, place = known[name]
        filled = _QUOTED.sub(_MARKS.get(language, r"“\1”"), found[place]) if place else ""
        return template.replace(_PLACE, filled)

    return _pattern(language).sub(translated, text)


@cache
def _notes(language: str) -> Mapping[str, tuple[str, str]]:
    """Return the translations of all notes by the names of their groups, each with that of what is filled in."""
    return {
        f"note{number}": (words, f"place{number}" if _PLACE in english else "")
        for number, (english, words) in enumerate(_rows(language))
    }


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return what the notes look like: whole sentences at the beginning of a line, or after another one."""
    notes = (
        f"(?P<note{number}>{re.escape(english).replace(re.escape(_PLACE), f'(?P<place{number}>{_FILLED})')})"
        for number, (english, _) in enumerate(_rows(language))
    )
    return re.compile(rf"(?:(?<=^)|(?<=\. ))(?:{'|'.join(notes)})(?=\s|$)", re.MULTILINE)


@cache
def _table() -> tuple[tuple[str, ...], ...]:
    """Return the languages, and below them each sentence in all of them, English first, the most definite first."""
    path = resources() / "translations" / "answer_notes.tsv"
    text = path.read_text(encoding="utf-8") if path.is_file() else "en"
    return tuple(tuple(line.split("\t")) for line in text.splitlines())


def catalogue_of(language: str) -> str:
    """Return the name of the catalogue of a language: zh_CN for zh; "" if there is none."""
    return next((name for name in _table()[0][1:] if name.partition("_")[0] == language), "")


@cache
def _rows(language: str) -> tuple[tuple[str, str], ...]:
    """Return the English sentences with their translations; none for other languages."""
    if not (name := catalogue_of(language)):
        return ()
    at = _table()[0].index(name)
    return tuple((row[0], row[at]) for row in _table()[1:] if row[at])
