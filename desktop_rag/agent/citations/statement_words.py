"""The words of a statement and of its lines, in the forms in which names and copies are compared."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop_rag.index.keywords.analysis import DENSE, WORD, fold, stem
from desktop_rag.paths import resources

_WORD = re.compile(rf"\d+(?:[.,]\d+)+|(?:[^\W\d_]\.){{2,}}|[{DENSE}]+|{WORD}+(?:[’'&./_-]{WORD}+)*")
_POSSESSIVE = re.compile(r"[’'][sS]$|[’']$")
_ELISION = re.compile(r"^(?:[dl]|qu)['’](?=[A-ZÀ-Þ])")  # d'Angers
_SENTENCE_START = re.compile(r"(?:^|(?<!\b[A-Z])\.|[!?:;|·\t。！？\n])[\s*_\"“„«»(\[>#•–—-]*$")
_PARTS = re.compile(r"[&./_’'-]")
_DENSE = re.compile(f"[{DENSE}]")
_LOOK_BACK = 12  # characters before a word that show whether it begins a sentence
_CONTRACTED = re.compile(r"n['’]t$")
_NEGATIONS_TEXT = (
    "not no never none nobody nothing neither nor cannot without nicht kein keine keinen keinem keiner keines nie "
    "niemals niemand nichts ohne pas jamais aucun aucune sans ne nunca ningun ninguna nadie sin non"
)
_NEGATIONS = frozenset(_NEGATIONS_TEXT.split())


@dataclass(frozen=True, slots=True)
class StatementWord:
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

    @property
    def is_negation(self) -> bool:
        """Return whether it negates."""
        return self.fold in _NEGATIONS or bool(_CONTRACTED.search(self.text))

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the folded parts of a compound with hyphens, slashes or underscores."""
        return tuple(filter(None, _PARTS.split(self.fold)))


@lru_cache(maxsize=1 << 11)
def split_words(text: str) -> tuple[StatementWord, ...]:
    """Return the words of `text`; hyphens, dots and apostrophes inside belong to a word, a possessive s does not."""
    return tuple(_words(text))


def _words(text: str) -> Iterator[StatementWord]:
    for match in _WORD.finditer(text):
        elided = _ELISION.match(match[0])
        start = match.start() + (elided.end() if elided else 0)
        word = _POSSESSIVE.sub("", match[0][start - match.start() :])
        folded = fold(word if any(len(part) > 1 for part in word.split(".")) else word.replace(".", ""))
        starts = word[0].isupper() and bool(_SENTENCE_START.search(text, max(0, start - _LOOK_BACK), start))
        yield StatementWord(word, folded, stem(folded), start, start + len(word), starts)


def is_ordinary(word: StatementWord) -> bool:
    """Return whether English texts usually write a word in lower case."""
    return word.stem in _ordinary() or all(stem(part) in _ordinary() for part in word.parts)


@cache
def _ordinary() -> frozenset[str]:
    """Return stems that occur in Wikipedia articles at least three times as often in lower case as capitalised."""
    return frozenset((resources() / "ordinary_words.txt").read_text(encoding="utf-8").split())


def denies(text: str) -> bool:
    """Return whether a text has a word that negates."""
    return any(word.is_negation for word in split_words(text))


def is_dense(text: str) -> bool:
    """Return whether a text is mostly written in a script without word spaces, such as Chinese."""
    dense = 0 if text.isascii() else len(_DENSE.findall(text))
    return dense > 0 and 2 * dense > sum(map(str.isalpha, text))
