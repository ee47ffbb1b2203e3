"""What the program adds to an answer, in the language of the question; answers are stored in English.

The window translates it by Qt's catalogues. The table here is made from them by `packaging/translations.py update`.
"""

import re
from collections.abc import Mapping
from functools import cache

from desktop_rag.paths import resources
from desktop_rag.text.language_detection import language_of_query

_PLACE = "{0}"
_FILLED = "(?:“[^”\n]*”|[^“”\n])*?"  # a quoted word may have the sign that ends a sentence


def in_language_of(question: str, text: str) -> str:
    """Return a text with the notes in it translated, if the question's language is one of those of the program."""
    known = _notes(language_of_query(question))
    if not known:
        return text

    def translated(found: re.Match[str]) -> str:
        groups = found.groupdict()
        name = next(each for each, value in groups.items() if each.startswith("note") and value is not None)
        template, place = known[name]
        return template.replace(_PLACE, found[place] if place else "")

    return _pattern(language_of_query(question)).sub(translated, text)


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
def _rows(language: str) -> tuple[tuple[str, str], ...]:
    """Return the English sentences with their translations, the most definite first; none for other languages."""
    path = resources() / "translations" / "answer_notes.tsv"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else [""]
    columns = [name.partition("_")[0] for name in lines[0].split("\t")]
    if language == "en" or language not in columns:
        return ()
    at = columns.index(language)
    return tuple((row[0], row[at]) for row in (line.split("\t") for line in lines[1:]) if row[at])
