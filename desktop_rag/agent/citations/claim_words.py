"""The words of a claim and of its evidence, in the forms in which they are compared."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, NEGATIONS, base_stem
from desktop_rag.index.keywords.analysis import DENSE, STOP_WORDS, WORD, fold, stem
from desktop_rag.paths import resources

_WORD = re.compile(rf"\d+(?:[.,]\d+)+|(?:[^\W\d_]\.){{2,}}|[{DENSE}]+|{WORD}+(?:[’'&./_-]{WORD}+)*")
_POSSESSIVE = re.compile(r"[’'][sS]$|[’']$")
_ELISION = re.compile(r"^(?:[dl]|qu)['’](?=[A-ZÀ-Þ])")  # d'Angers
_JOINED_NAME = re.compile(r"(?:[A-ZÀ-Þ][a-zß-ÿ]{2,}){2,3}")  # of a chat: IanHale
_CONTRACTED = re.compile(r"n['’]t$")
_NO_NEGATION = re.compile(  # a negation that says nothing about what follows
    r"\b(?:not only|nothing (?:but|other than)|none other than|nichts als|"
    r"no (?:later|more|less|fewer|sooner|doubt|matter|objections?|problems?)\b|no longer than|"
    r"mai(?= \d{4})|(?<=\d )mai|whether or not|if not|or not|no\. ?\d|"
    r"not (?:later|more|less|fewer|limited|until|just|merely|necessarily)\b|nicht nur|"
    r"not(?=(?:\W+\w+){1,6}?\W+until\b)|n['’]t(?=(?:\W+\w+){1,6}?\W+until\b)|"
    r"nicht (?:mehr|weniger|später) als|non seulement|no s[oó]lo|no más|pas plus)",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;|。！？\n])[\s*_\"“„«»(\[>#•–—-]*$")


@dataclass(frozen=True, slots=True)
class ClaimWord:
    """A word as written and its offsets; `fold` is without case and accents, `stem` its folded stem."""

    text: str
    fold: str
    stem: str
    start: int
    end: int
    starts: bool  # it is capitalised and begins a sentence or a cell

    @property
    def is_capital(self) -> bool:
        """Return whether it begins with a capital letter."""
        return self.text[:1].isupper()

    @property
    def is_acronym(self) -> bool:
        """Return whether it is written in capital letters, dots aside."""
        return len(self.fold) > 1 and self.text.replace(".", "").isupper()


@lru_cache(maxsize=1 << 11)
def split_words(text: str) -> tuple[ClaimWord, ...]:
    """Return the words of `text`; hyphens, dots and apostrophes inside belong to a word, a possessive s does not."""
    return tuple(_words(text))


def _words(text: str) -> Iterator[ClaimWord]:
    for match in _WORD.finditer(text):
        elided = _ELISION.match(match[0])
        start = match.start() + (elided.end() if elided else 0)
        word = _POSSESSIVE.sub("", match[0][start - match.start() :])
        folded = fold(word.replace(".", "") if _is_dotted(word) else word)
        starts = word[0].isupper() and bool(_SENTENCE_START.search(text, max(0, start - 12), start))
        yield ClaimWord(word, folded, base_stem(folded), start, start + len(word), starts)


def _is_dotted(word: str) -> bool:
    return "." in word and all(len(part) <= 1 for part in word.split("."))


def parts(word: ClaimWord) -> tuple[str, ...]:
    """Return the folded parts of a compound with hyphens, slashes or underscores."""
    return _split(word.fold)


def is_ordinary(word: ClaimWord) -> bool:
    """Return whether English texts usually write a word in lower case."""
    return word.stem in _ordinary() or all(stem(part) in _ordinary() for part in parts(word))


@cache
def _ordinary() -> frozenset[str]:
    """Return stems that occur in Wikipedia articles at least three times as often in lower case as capitalised."""
    return frozenset((resources() / "ordinary_words.txt").read_text(encoding="utf-8").split())


class ClaimEvidence:
    """The texts in which the words of a claim may occur: cited lines, their context and the question."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.text = "\n".join(texts)
        self.folds = {part for token in set(_WORD.findall(self.text)) for part in _forms(token)}

    @cached_property
    def stems(self) -> set[str]:
        """The stems of the words and of the parts of compounds."""
        return set(map(base_stem, self.folds))

    @cached_property
    def words(self) -> tuple[ClaimWord, ...]:
        """The words in order."""
        return split_words(self.text)

    @cached_property
    def capitals(self) -> tuple[ClaimWord, ...]:
        """The distinct capitalised words."""
        return tuple({word.text: word for word in self.words if word.is_capital}.values())


@lru_cache(maxsize=1 << 15)
def _forms(token: str) -> tuple[str, ...]:
    """Return a folded word without its possessive, its parts, and these joined: LOCKHEED-MARTIN, IanHale-Lee."""
    word = _POSSESSIVE.sub("", token)
    folded = fold(word.replace(".", "") if _is_dotted(word) else word)
    pieces = _split(folded)
    joined = (each for each in _split(word) if _JOINED_NAME.fullmatch(each))
    names = (fold(part) for each in joined for part in re.findall("[A-ZÀ-Þ][^A-ZÀ-Þ]+", each))
    return (folded, *pieces, "".join(pieces), *names) if len(pieces) > 1 else (folded, *names)


def _split(folded: str) -> tuple[str, ...]:
    return tuple(filter(None, re.split(r"[&./_’'-]", folded)))


@lru_cache(maxsize=1 << 12)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(base_stem(part) for token in set(_WORD.findall(text)) for part in _forms(token))


def is_negation(word: ClaimWord) -> bool:
    """Return whether a word negates."""
    if word.text == "Mai":  # the month; “mai” is the Italian never
        return False
    if word.text == "Personne":  # n'a voté; inside a sentence “la personne” is a person
        return True
    return word.fold in NEGATIONS or bool(_CONTRACTED.search(word.text))


def without_idioms(text: str) -> str:
    """Return a text of the same length without idioms like “not only” that negate nothing."""
    return _NO_NEGATION.sub(lambda match: " " * len(match[0]), text)


def is_content(word: ClaimWord) -> bool:
    """Return whether a word says something by itself."""
    small = len(word.fold) <= 2 or word.fold in STOP_WORDS or word.fold in FUNCTION_WORDS
    return not small and not is_negation(word)


def content_stems(words: Iterable[ClaimWord]) -> frozenset[str]:
    """Return the stems of the words that say something by themselves."""
    return frozenset(word.stem for word in words if is_content(word))


def share_of(stems: frozenset[str], sentence: str) -> float:
    """Return the share of some stems that a sentence has."""
    return len(stems & stems_of(sentence)) / len(stems) if stems else 0.0


def likeness(words: Iterable[ClaimWord], sentence: str) -> float:
    """Return the share of the content stems of a claim that another sentence has."""
    return share_of(content_stems(words), sentence)
