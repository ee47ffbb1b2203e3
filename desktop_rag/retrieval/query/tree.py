"""The query tree: words, phrases and conditions on files, joined by Boolean nodes.

Words, phrases, fuzzy words and wildcards are about the text of a chunk. Conditions on files (path, extension,
folder, author, date) are evaluated on the catalog; `split` separates those that are joined by AND.
"""

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class TextField(StrEnum):
    """The field of a document in which a word is searched."""

    ANY = ""
    TITLE = "title"
    CONTENT = "content"


class FileField(StrEnum):
    """The property of a file that a condition tests."""

    PATH = "path"
    NAME = "name"
    EXT = "ext"
    FOLDER = "folder"
    AUTHOR = "author"
    LANGUAGE = "language"
    TAG = "tag"  # of the document itself: front matter, keywords, #tags of notes
    DATE = "date"  # its own: of a mail, photo or document; the file's if it has none
    MODIFIED = "modified"  # of the file
    FROM = "from"
    TO = "to"
    CC = "cc"  # and Bcc
    SUBJECT = "subject"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on files outside the query text: a field of the query language and its value.

    A date may be a range (“2023 TO 2024-03”). Filters of one field are joined by OR, those of different fields by AND.
    Those that `narrow` are joined with the other ones of their field by AND.
    """

    field: FileField
    text: str
    narrows: bool = False


CODE_PART = re.compile(r"(?:[^\W_]|[*?])+")
DATE_FIELDS = frozenset((FileField.DATE, FileField.MODIFIED, FileField.SENT))
MAIL_FIELDS = frozenset((FileField.FROM, FileField.TO, FileField.CC, FileField.SUBJECT, FileField.SENT))


@lru_cache(maxsize=256)
def wildcard_expression(pattern: str, letter: str = ".") -> str:
    """Return the regular expression of a pattern whose `?` is one letter, and `*` any number of them."""
    return "".join({"*": f"{letter}*", "?": letter}.get(char) or re.escape(char) for char in pattern)


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word as typed, without surrounding punctuation."""

    text: str
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """A word with up to `distance` edits."""

    text: str
    distance: int
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Wildcard:
    """A word with `*` for any letters and `?` for one; a code or identifier also has signs: try_acq*, AB-12*."""

    pattern: str
    field: TextField = TextField.ANY
    boost: float = 1.0

    @property
    def joined(self) -> bool:
        """Whether it has several words, joined by signs; only the texts tell whether it matches."""
        return CODE_PART.fullmatch(self.pattern) is None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Adjacent words (`slop` 0), or words in any order with at most `slop` other words between them.

    One that `lifts` stands in a question, beside its words: texts that have it rank higher, others are found, too.
    """

    text: str
    slop: int = 0
    field: TextField = TextField.ANY
    boost: float = 1.0
    lifts: bool = False


@dataclass(frozen=True, slots=True)
class Spelled:
    """A word or adjacent words in this very spelling: case, accents and inflection as typed."""

    text: str
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class FileFact:
    """A condition on a file or mail other than its dates: name, author, sender …; `text` may have `*` and `?`.

    Words of a subject that are not `quoted` match their inflected forms.
    """

    field: FileField
    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Dated:
    """The date named by `field` is at or after `since_ns` and before `until_ns`; None leaves a side open.

    With a `month` (1 to 12) it is also in that month of any year.
    """

    since_ns: int | None
    until_ns: int | None
    field: FileField = FileField.MODIFIED
    month: int = 0


@dataclass(frozen=True, slots=True)
class All:
    """AND: every part must match."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """OR: at least one part must match; more matches rank higher.

    `typed` says that the user wrote OR; words beside each other are joined in the same way.
    """

    parts: tuple["Node", ...]
    typed: bool = dataclasses.field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """NOT: the part must not match."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class Prefer:
    """`required` must match; matches of `optional` rank higher."""

    required: "Node"
    optional: "Node"


@dataclass(frozen=True, slots=True)
class Boosted:
    """The part counts `factor` times in the ranking."""

    part: "Node"
    factor: float


TextLeaf = Word | Fuzzy | Wildcard | Phrase | Spelled
FileLeaf = FileFact | Dated
Node = TextLeaf | FileLeaf | All | Either | Not | Prefer | Boosted


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below `node`."""
    match node:
        case All(parts) | Either(parts):
            return parts
        case Not(part) | Boosted(part):
            return (part,)
        case Prefer(required, optional):
            return (required, optional)
        case _:
            return ()


def leaves(node: Node | None) -> Iterator[TextLeaf | FileLeaf]:
    """Yield the leaves from left to right, including those under NOT."""
    if isinstance(node, TextLeaf | FileLeaf):
        yield node
    elif node is not None:
        for child in children(node):
            yield from leaves(child)


def wanted(node: Node | None) -> Iterator[TextLeaf]:
    """Yield the positive text leaves: those that are not under NOT."""
    if isinstance(node, TextLeaf):
        yield node
    elif node is not None and not isinstance(node, Not):
        for child in children(node):
            yield from wanted(child)


def is_about_files(node: Node) -> bool:
    """Return whether all leaves of `node` are conditions on files."""
    return all(isinstance(leaf, FileLeaf) for leaf in leaves(node))


def binds(node: Node | None) -> bool:
    """Return whether the query has an operator other than a boost: only what fulfils it is then a result.

    A query of plain words binds nothing: they only rank, and a passage may be found by its meaning alone. The prefix
    that `unfinished` adds to the last word is no operator.
    """
    match node:
        case None:
            return False
        case Word(_, named):
            return named is not TextField.ANY
        case Phrase(lifts=True):
            return False
        case Either((Word(text) as word, Wildcard(pattern)), False) if pattern == f"{text}*":
            return binds(word)
        case Either(parts, typed):
            return typed or any(map(binds, parts))
        case Boosted(part):
            return binds(part)
        case _:
            return True


def is_one_word(node: Node | None) -> bool:
    """Return whether the query is one word, phrase or pattern, also with the prefix that `unfinished` adds."""
    match node:
        case Either((Word(text), Wildcard(pattern)), False) if pattern == f"{text}*":
            return True
        case _:
            return len(list(wanted(node))) == 1


def join_all(given: Iterable[Node | None]) -> Node | None:
    """Join parts by AND; None is no part, and what no parts make."""
    parts = tuple(part for part in given if part is not None)
    return All(parts) if len(parts) > 1 else next(iter(parts), None)


def conjuncts(node: Node | None) -> tuple[Node, ...]:
    """Return the parts of a query of which each must hold, those under NOT with it."""
    match node:
        case None:
            return ()
        case All(parts):
            return tuple(each for part in parts for each in conjuncts(part))
        case Prefer(part) | Boosted(part):
            return conjuncts(part)
        case _:
            return (node,)


def demanded(node: Node) -> Node:
    """Return a word that an operator requires as one that must occur; other nodes unchanged."""
    return All((node,)) if isinstance(node, Word) and not binds(node) else node


def split(node: Node | None) -> tuple[Node | None, Node | None]:
    """Split a node into (text query, conditions on files), whose AND is `node`.

    Conditions under an OR or NOT together with words stay in the text query.
    """
    match node:
        case None:
            return None, None
        case All((Word(),)):  # a demanded word
            return node, None
        case All(parts):
            pairs = [split(part) for part in parts]
            return join_all(text for text, _ in pairs), join_all(file for _, file in pairs)
        case Prefer(required, optional):
            text, file = split(required)
            return (optional if text is None else Prefer(text, optional)), file
        case _:
            return (None, node) if is_about_files(node) else (node, None)
