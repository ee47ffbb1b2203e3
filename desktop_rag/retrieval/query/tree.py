"""What a query means: a small tree of words, phrases and conditions on files, joined by Boolean nodes.

Words, phrases, fuzzy words and wildcards are about the text of a chunk. Conditions on files (path, extension,
folder, author, date) are answered by the catalog; `split` takes them out of the tree wherever AND joins them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class TextField(StrEnum):
    """Where in a document a word is looked for."""

    ANY = ""
    TITLE = "title"
    CONTENT = "content"


class FileField(StrEnum):
    """Which fact of a file a condition is about."""

    PATH = "path"
    EXT = "ext"
    FOLDER = "folder"
    AUTHOR = "author"
    LANGUAGE = "language"
    MODIFIED = "modified"


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word as it was typed, without the punctuation of the sentence around it."""

    text: str
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """A word with up to `distance` letters wrong, missing or added."""

    text: str
    distance: int
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Wildcard:
    """A word with `*` for any letters and `?` for one."""

    pattern: str
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words side by side (`slop` 0), or in any order with at most `slop` other words between them."""

    text: str
    slop: int = 0
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Spelled:
    """A word or words side by side in this very spelling: capitals, accents and inflection as typed."""

    text: str
    field: TextField = TextField.ANY
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class FileFact:
    """A condition on the file's path, extension, folder, author or language; `text` may hold `*` and `?`."""

    field: FileField
    text: str


@dataclass(frozen=True, slots=True)
class Modified:
    """The file was changed at or after `since_ns` and before `until_ns`; None leaves that side open."""

    since_ns: int | None
    until_ns: int | None


@dataclass(frozen=True, slots=True)
class All:
    """Every part must hold."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part must hold; more parts rank higher."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part must not hold."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class Prefer:
    """`required` must hold; `optional` only ranks higher."""

    required: "Node"
    optional: "Node"


@dataclass(frozen=True, slots=True)
class Boosted:
    """The part counts `factor` times in the ranking."""

    part: "Node"
    factor: float


TextLeaf = Word | Fuzzy | Wildcard | Phrase | Spelled
FileLeaf = FileFact | Modified
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
    """Yield the leaves from left to right, prohibited ones included."""
    if isinstance(node, TextLeaf | FileLeaf):
        yield node
    elif node is not None:
        for child in children(node):
            yield from leaves(child)


def wanted(node: Node | None) -> Iterator[TextLeaf]:
    """Yield the words and phrases a result should contain: every text leaf that no NOT stands above."""
    if isinstance(node, TextLeaf):
        yield node
    elif node is not None and not isinstance(node, Not):
        for child in children(node):
            yield from wanted(child)


def is_about_files(node: Node) -> bool:
    """Return whether `node` has only conditions on files below it."""
    return all(isinstance(leaf, FileLeaf) for leaf in leaves(node))


def is_spelled(node: Node) -> bool:
    """Return whether `node` has only words in their very spelling below it."""
    return all(isinstance(leaf, Spelled) for leaf in leaves(node))


def is_logical(node: Node | None) -> bool:
    """Return whether the query says what must or must not be there, beyond words that merely rank."""
    if node is None:
        return False
    return isinstance(node, All | Not | Prefer | Spelled) or any(is_logical(child) for child in children(node))


def join_all(parts: tuple[Node, ...]) -> Node | None:
    """Return one node in which every part must hold, None for no parts."""
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else All(parts)


def split(node: Node | None) -> tuple[Node | None, Node | None]:
    """Return (what to look for in texts, conditions on files) whose AND is `node`.

    Conditions on files under an OR or NOT together with words stay in the first tree.
    """
    match node:
        case None:
            return None, None
        case All(parts):
            pairs = [split(part) for part in parts]
            texts = tuple(text for text, _ in pairs if text is not None)
            files = tuple(file for _, file in pairs if file is not None)
            return join_all(texts), join_all(files)
        case Prefer(required, optional):
            text, file = split(required)
            return (optional if text is None else Prefer(text, optional)), file
        case _:
            return (None, node) if is_about_files(node) else (node, None)
