"""Extracts names from texts: capitalised names, publications, link targets and document titles, normalised alike.

Case, punctuation, white space and a leading article are ignored: “The Lease Agreement”, `[[lease agreement]]` and
`lease-agreement.md` are one name. For a run of capitalised words (“Mayor Ada Lovelace”), its prefixes and suffixes are
names, too.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

KEY_BYTES = 6
MESSAGE = 1 << 8 * KEY_BYTES  # keys from here on are message ids
LONGEST = 8  # words of a name
SHORTEST = 4  # letters
_MOST_RUN = 24  # words: longer runs are headings in capitals or tables

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽΆΈ-ΏΑ-ΫЀ-Я"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CONNECTING = _words("of the and de von van du la le for in a an to on & der des del di da al el")
_NAMED = rf"(?:[{_UPPER}0-9][\w’'&.-]*\w|[{_UPPER}0-9])"
NAME_RUN = re.compile(rf"(?<!\w){_NAMED}(?:[ \n](?:(?:{'|'.join(sorted(_CONNECTING))})[ \n]){{0,2}}{_NAMED})*")
# Words capitalised at the start of a sentence are no names.
_BEGINS = _words(
    "the a an in on at for but and of to by from with as is was are were be it he she his her this these that its they "
    "we i their there our my your you if when while after before during since until although however because who what "
    "which where why how both all some many most no not also then so such one two three"
)
ARTICLES = _words("the a an")
_WORD = re.compile(r"\w+")
_TITLE_WORD = re.compile(r"[^\W_]+")
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
_REPLY = re.compile(r"^(?:(?:re|aw|fwd?|wg|sv|antw|ref|tr)(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,200})")
_FILE_LINK = re.compile(r"\]\(<?([^()<>\n]{1,300}?)>?(?:\s+\"[^\"\n]*\")?\)|(?:href|src)=[\"']([^\"'\n]{1,300})[\"']")
_FILE_NAME = re.compile(
    r"(?<![\w/])[\w.-]{1,80}\.(?:md|txt|pdf|docx?|xlsx?|pptx?|odt|ods|odp|csv|html?|eml|rtf|epub)\b"
)
# Identifiers of publications; their own first page contains them, too.
_IDENTIFIER = re.compile(
    r"\b10\.\d{4,9}/[-.;()/:\w]*\w|\barxiv(?:\.org/(?:abs|pdf)/|:\s?)(\d{4}\.\d{4,5}|[a-z.-]+/\d{7})", re.IGNORECASE
)


def names_in(text: str) -> set[str]:
    """Return every name in a text, with the targets of its links."""
    found = {name for run in NAME_RUN.finditer(text) for name in _of_run(run.group().split())}
    for link in _WIKI_LINK.finditer(text):
        found.add(title_name(link.group(1)))
    for link in _FILE_LINK.finditer(text):
        found.add(target_name(link.group(1) or link.group(2)))
    found.update(file_name(name) for name in _FILE_NAME.findall(text))
    found.update(normal_name(f"arxiv {cited[1]}" if cited[1] else cited[0]) for cited in _IDENTIFIER.finditer(text))
    return {name for name in found if _is_distinctive(name)}


def title_name(title: str) -> str:
    """Return the name of a document with this title; a reply has the name of the original mail."""
    return normal_name(_REPLY.sub("", _DISAMBIGUATION.sub("", title)))


def file_name(name: str) -> str:
    """Return the name of a document with this file name."""
    return normal_name(PurePosixPath(name).stem)


def target_name(target: str) -> str:
    """Return the name of the file a link points to; an empty text for a web address."""
    try:
        parts = urlsplit(target.strip())
    except ValueError:
        return ""
    return "" if parts.scheme not in ("", "file") or parts.netloc else file_name(unquote(parts.path))


def normal_name(name: str) -> str:
    """Return a name without case, punctuation and a leading article, at most `LONGEST` words."""
    words = _WORD.findall(name.replace("_", " ").casefold())
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words[:LONGEST])


def keys_of(names: Iterable[str]) -> list[int]:
    """Return the keys (hash prefixes) of those names that are distinctive, sorted and unique."""
    return sorted({_key(name) for name in names if _is_distinctive(name)})


def message_keys(ids: Iterable[str]) -> list[int]:
    """Return the keys of message ids; they are greater than those of names."""
    return [MESSAGE + int.from_bytes(_digest(message)) for message in ids]


def phrase_keys(text: str) -> list[int]:
    """Return the keys of every phrase that may be a title: up to eight words, the first capitalised or with a digit.

    Titles may contain lower-case words, commas and dashes (“Love, death and a hat”); `names_in` extracts only
    parts. Storing every phrase of every text would multiply the tables; for a few passages it costs milliseconds.
    """
    words = _TITLE_WORD.findall(text)
    folded = [word.casefold() for word in words]
    phrases: set[str] = set()
    for first, word in enumerate(words):
        if word[0].isupper() or word[0].isdigit():
            after = first + (folded[first] in ARTICLES)
            ends = range(after + 1, min(after + LONGEST, len(words)) + 1)
            phrases.update(" ".join(folded[after:end]) for end in ends)
    return keys_of(phrases)


def _of_run(words: list[str]) -> Iterator[str]:
    """Yield a run of words without its sentence start, and its prefixes and suffixes."""
    while words and words[0].lower() in _BEGINS:
        words = words[1:]
    if not words or len(words) > _MOST_RUN:
        return
    count = len(words)
    ends = [end for end in range(1, count + 1) if words[end - 1].lower() not in _CONNECTING]
    for end in ends:
        if end == count or end > 1:
            yield normal_name(" ".join(words[:end][:LONGEST]))
    for start in range(1, count - 1):
        if words[start].lower() not in _CONNECTING:
            yield normal_name(" ".join(words[start:][:LONGEST]))


def _is_distinctive(name: str) -> bool:
    return len(name.replace(" ", "")) >= SHORTEST and not (name.isdigit() and len(name) <= SHORTEST)


def _key(name: str) -> int:
    return int.from_bytes(_digest(name), signed=True)


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()
