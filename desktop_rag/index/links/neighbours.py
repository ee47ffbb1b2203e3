"""Follows links from a chunk: documents it names, chunks that share a rare name with it, mails of its thread."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from math import log, log2
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from desktop_rag.index.catalog.link_tables import LinkTables
from desktop_rag.index.records import ChunkId, ContentId

# Extracts names from texts: capitalised names, publications, link targets and document titles, normalised alike.
#
# Case, punctuation, white space and a leading article are ignored: “The Lease Agreement”, `[[lease agreement]]` and
# `lease-agreement.md` are one name. For a run of capitalised words (“Mayor Ada Lovelace”), its prefixes and suffixes
# are names, too. Of words with two or three letters case counts (`short_name`), and a person is also found by initials.

KEY_BYTES = 6
MESSAGE = 1 << 8 * KEY_BYTES  # keys from here on are message ids
LONGEST = 8  # words of a name
SHORTEST = 4  # letters
_LONGEST_BEGINNING, _LONGEST_END = 5, 3  # words of a part of a longer name: longer parts are hardly ever repeated
_LONGEST_PERSON = 4  # words
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
_SHORT = re.compile(rf"\b[{_UPPER}][{_UPPER}0-9]{{1,2}}\b")  # abbreviations
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
    found.update(map(short_name, _SHORT.findall(text)))
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


def short_name(name: str) -> str:
    """Return a name, normalised unless it is one word of two or three letters: of these case counts (`IT`, `it`)."""
    word = _TITLE_WORD.fullmatch(name) and not name.isdigit() and 1 < len(name) < SHORTEST
    return name.ljust(SHORTEST, "=") if word else normal_name(name)


def further_names(title: str) -> list[str]:
    """Return other names of a document by its title: one short word as written, or the shorter names of a person."""
    found = list(_TITLE_WORD.finditer(_DISAMBIGUATION.sub("", title)))
    found = found[len(found) > 1 and found[0][0].casefold() in ARTICLES :]
    return [short_name(found[0][0])] if len(found) == 1 else _initialled(found, of_title=True)


def _initialled(found: Sequence[re.Match[str]], *, of_title: bool = False) -> list[str]:
    """Return the names of a person without middle initials, and by the first one: “N. Juran” may be “Nathan H. Juran”.

    Initials have a full stop. One in a text looks for titles that begin with its letter (`~`), and a name with a middle
    initial for titles with an initial (`^`); other words do not: “Clinical Results” is not the chapter “C. Results”.
    """
    words = [word[0] for word in found]
    if not 1 < len(words) <= _LONGEST_PERSON or not all(word[0].isupper() for word in words):
        return []
    dotted = [len(word[0]) == 1 and word.string.startswith(".", word.end()) for word in found]
    whole = [word.casefold() for word, dot in zip(words, dotted, strict=True) if not dot]
    letter, last, middle = words[0][0].casefold(), words[-1].casefold(), any(dotted[1:-1])
    names = [" ".join(whole)] if middle and not dotted[0] else []
    names += [f"{letter}~ {last}"] if dotted[0] or of_title else []
    return names + ([f"{letter}^ {last}"] if dotted[0] is of_title and (of_title or middle) else [])


def keys_of(names: Iterable[str]) -> list[int]:
    """Return the keys (hash prefixes) of those names that are distinctive, sorted and unique."""
    return sorted({_key(name) for name in names if _is_distinctive(name)})


def message_keys(ids: Iterable[str]) -> list[int]:
    """Return the keys of message ids; they are greater than those of names."""
    return [MESSAGE + int.from_bytes(_digest(message)) for message in ids]


def phrases(text: str) -> dict[int, list[range]]:
    """Return the places, in words, of phrases that may be titles, by their keys: the first word has a capital or digit.

    Titles may contain lower-case words, commas and dashes (“Love, death and a hat”); `names_in` extracts only
    parts. Storing every phrase of every text would multiply the tables; for a few passages it costs milliseconds.
    A short word, or one that sentences begin with, is a name only in capitals or within a sentence.
    """
    found = list(_TITLE_WORD.finditer(text))
    words = [word[0] for word in found]
    folded = [word.casefold() for word in words]
    within = [False, *(text[one.end() : other.start()] in (" ", "-", "\n") for one, other in pairwise(found))]
    places: dict[int, list[range]] = defaultdict(list)
    for first, word in enumerate(words):
        if word[0].isupper() or word[0].isdigit():
            after = first + (folded[first] in ARTICLES)
            for end in range(after + 1, min(after + LONGEST, len(words)) + 1):
                names = [" ".join(folded[after:end])]
                if end == after + 1:
                    begins = len(names[0]) < SHORTEST or names[0] in _BEGINS
                    names = [short_name(words[after])] if within[after] or words[after].isupper() or not begins else []
                else:
                    names += _initialled(found[after:end])
                for name in filter(_is_distinctive, names):
                    places[_key(name)].append(range(after, end))
    return places


def _of_run(words: list[str]) -> Iterator[str]:
    """Yield a run of words without its sentence start, and its prefixes and suffixes."""
    while words and words[0].lower() in _BEGINS:
        words = words[1:]
    if not words or len(words) > _MOST_RUN:
        return
    count = len(words)
    yield normal_name(" ".join(words[:LONGEST]))
    inner = [n for n in range(1, count - 1) if words[n].lower() not in _CONNECTING]
    beginnings, ends = (
        ((0, n + 1) for n in inner if n < _LONGEST_BEGINNING),
        ((n, count) for n in inner if count - n <= _LONGEST_END),
    )
    for start, end in (*beginnings, *ends):
        if not words[start].isdecimal():
            yield normal_name(" ".join(words[start:end]))


def _is_distinctive(name: str) -> bool:
    return len(name.replace(" ", "")) >= SHORTEST and not (name.isdigit() and len(name) <= SHORTEST)


def _key(name: str) -> int:
    return int.from_bytes(_digest(name), signed=True)


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


RAREST, COMMONEST = 2, 25  # chunks that share a name
SHARED = 0.4  # weight of a shared name; a mention of a document has 1
RARE_TITLE = 10  # mentions of a title up to which a link has its whole weight, where the question asks by names
MOST_NAMESAKES = 5  # documents with one name; names of more documents, such as “Report”, are ignored
_MOST_COUNTED = 1_000  # mentions of a name are counted up to this


class Neighbours(NamedTuple):
    """The weights (0 to 1) of links from one chunk to documents, to chunks, and to mails of its thread.

    Only mails may be in the same document, a mailbox.
    """

    documents: dict[ContentId, float]
    chunks: dict[ChunkId, float]
    thread: dict[ChunkId, float]


def neighbours(
    links: LinkTables, chunks: Mapping[ChunkId, str], *, rare_title: int = 1, only_rarest: bool = False
) -> dict[ChunkId, Neighbours]:
    """Return the links of chunks, given with their texts; none before links have been extracted.

    A title with more than `rare_title` mentions weighs less. With `only_rarest`, links beside those of a thread are
    link targets and capitalised names that are the title of one document and are mentioned nowhere else.
    """
    if not links.exist():
        return {}
    keys = links.keys_in(list(chunks))
    places = {chunk: {} if only_rarest else phrases(chunks[chunk]) for chunk in keys}
    documents_named = links.documents_named(sorted(set().union(*keys.values(), *places.values())))
    called = {key: contents for key, contents in documents_named.items() if len(contents) <= MOST_NAMESAKES}
    counts = links.chunk_counts(sorted(called.keys() | set().union(*keys.values())), _MOST_COUNTED)
    if only_rarest:
        called = {key: one for key, one in called.items() if len(one) == 1 and counts.get(key, 1) <= RAREST}
    shared = [
        key for key, count in counts.items() if RAREST <= count <= COMMONEST and (key >= MESSAGE or not only_rarest)
    ]
    sharing = links.chunks_with(shared)
    found: dict[ChunkId, Neighbours] = {}
    for chunk, named in keys.items():
        documents: dict[ContentId, float] = defaultdict(float)
        own = places[chunk]
        titles = [place for key in own.keys() & documents_named.keys() for place in own[key]]
        for key in (named | own.keys()) & called.keys():
            if key in own and all(any(_within(place, title) for title in titles) for place in own[key]):
                continue  # the longest title counts
            # Weighted down by the number of documents with this name and of its mentions.
            common = len(called[key]) * (1 + log(max(1, counts.get(key, 1) - 1)))
            weight = 1 / max(1.0, common - log(rare_title))
            for content in called[key]:
                documents[content] = max(documents[content], weight)
        others, thread = _sharing(chunk, named, sharing, counts)
        found[chunk] = Neighbours(dict(documents), others, thread)
    return found


def _within(place: range, other: range) -> bool:
    """Return whether a place is a part of another one."""
    return other.start <= place.start and place.stop <= other.stop and len(place) < len(other)


def _sharing(
    chunk: ChunkId, named: Iterable[int], sharing: Mapping[int, list[ChunkId]], counts: Mapping[int, int]
) -> tuple[dict[ChunkId, float], dict[ChunkId, float]]:
    """Return the weights of chunks that share a name with a chunk, and of the mails of its thread."""
    others: dict[ChunkId, float] = defaultdict(float)
    thread: dict[ChunkId, float] = defaultdict(float)
    for key in named:
        for other in sharing.get(key, ()):
            shared = 1 / max(1.0, log2(counts[key]))
            if key < MESSAGE:
                others[other] = max(others[other], SHARED * shared)
            elif other != chunk:
                thread[other] = max(thread[other], shared)
    others.pop(chunk, None)
    return dict(others), dict(thread)


def naming(links: LinkTables, content: ContentId, limit: int) -> dict[ChunkId, float]:
    """Return the chunks that name a document, with their weight: the more there are, the lower."""
    if not links.exist():
        return {}
    found = links.chunks_naming(content, limit)
    weight = 1 / (1 + log(max(1, len(found) - 1)))
    return dict.fromkeys(found, weight)
