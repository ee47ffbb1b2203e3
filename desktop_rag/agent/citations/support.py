"""The lines that may support a claim: their context, and the sentence that shares most words with it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile

from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.agent.citations.table_headings import is_year_header, table_header, table_heading, year_line
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.locate import ENOUGH
from desktop_rag.text.normalize import fold_quote, words

QUOTED = re.compile(r'["“„«]([^"”“»]{12,})["”“»]')  # words of a statement
FEWEST_QUOTED = 4  # words of a quotation: three may be a name
MAIL_FIELDS = 12  # lines at the beginning of a mail
_SURROUNDING = " .,;:\"'"
_AROUND = ".,;:\"'()[]*_#|-•"
_BEGINS = re.compile(  # before a sentence or a clause, perhaps with a number
    r"(?:[.!?;:][\"')\]]*\s+|[。！？；]|(?:^|[.!?] )\d{1,2}(?:\.\d{1,2})+ )[\"'(\[]*$"
)
_ENDS = re.compile(r"[\"')\]]*(?:[.;](?!\w)|[。；])")
_FIELD = re.compile(r"[A-Z][\w-]{0,40}:(?: \S|$)|[ \t]+\S")  # or the rest of a long one
_NAMED_FIELD = re.compile(r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Attachments?|Von|An|Betreff|Datum|Gesendet): \S")


@dataclass(frozen=True, slots=True)
class CitedLines:
    """The lines of a citation, the context above them (title, section, table header), and the rest of the paragraph.

    Names may occur in all three, figures in the lines and above them only.
    """

    lines: Mapping[int, str]
    above: tuple[str, ...] = ()
    paragraph: str = ""

    def texts(self) -> tuple[str, ...]:
        """Return the texts in which figures and names of the claim may occur."""
        return ("\n".join(self.lines[number] for number in sorted(self.lines)), *self.above)

    def text(self) -> str:
        """Return the context above, then the lines."""
        return "\n".join((*self.above, *(self.lines[number] for number in sorted(self.lines))))


def word_overlap(claim: str, text: str) -> float:
    """Return the share of a claim's content words, stemmed, that a text contains."""
    wanted = _content_stems(claim)
    return len(wanted & _content_stems(text)) / len(wanted) if wanted else 0.0


def _content_stems(text: str) -> set[str]:
    return set(map(stem, _wanted(text)))


def _wanted(text: str) -> frozenset[str]:
    said = frozenset(word for word in _words(text) if len(word) > 2 or not word.isascii())
    return said - STOP_WORDS or said


@lru_cache(maxsize=1 << 13)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.text for word in words(fold_quote(text)))


@dataclass(frozen=True, slots=True)
class SupportingSentence:
    """The sentence that supports a claim best; `share` is the share of the claim's words in it."""

    text: str
    first_line: int
    last_line: int
    share: float


def is_significant(quote: str) -> bool:
    """Return whether `quote` is long enough to identify a passage."""
    return len(fold_quote(quote).encode()) >= ENOUGH


def best_support(claim: str, lines: Mapping[int, str]) -> SupportingSentence | None:
    """Return the sentence of `lines` that shares most words with `claim`; the first one of equals."""
    wanted = _wanted(claim)
    best: SupportingSentence | None = None
    for sentence in sentences(lines):
        held = _words(sentence.text)
        share = len(wanted & held) / len(wanted) if wanted else 0.0
        if held and (best is None or share > best.share):
            best = SupportingSentence(sentence.text, sentence.first_line, sentence.last_line, share)
    return best


def repeats(claim: str, sentence: str) -> bool:
    """Return whether a claim repeats a source sentence verbatim."""
    folded = significant_text(sentence)
    return bool(folded) and folded in fold_quote(claim)


def is_quotation(claim: str, sources: Sequence[CitedLines]) -> bool:
    """Return whether the cited lines say a whole claim word for word, from the start of a sentence to an end."""
    said = significant_text(claim)
    long = len(list(words(said))) >= FEWEST_QUOTED
    return long and any(_says(said, [each.text for each in sentences(source.lines)]) for source in sources)


def _says(said: str, written: Sequence[str]) -> bool:
    """Return whether folded words span whole sentences; the first may start at a clause."""
    folds = [fold_quote(each) for each in written]
    text = " ".join(folds)
    ends = set(accumulate(len(each) + 1 for each in folds))  # of sentences, each with a space behind it
    for match in re.finditer(re.escape(said), text):
        starts = _beyond_marks(match.start(), text, -1) in ends | {0} or _BEGINS.search(text, 0, match.start())
        if starts and (_beyond_marks(match.end(), text, 1) + 1 in ends or _ENDS.match(text, match.end())):
            return True
    return False


def _beyond_marks(at: int, text: str, step: int) -> int:
    """Return an offset moved over punctuation, which no sentence of a claim needs."""
    while 0 <= at + min(step, 0) < len(text) and text[at + min(step, 0)] in _AROUND:
        at += step
    return at


def significant_text(sentence: str) -> str:
    """Return a folded sentence without surrounding punctuation; empty if too short to identify a passage."""
    folded = fold_quote(sentence).strip(_SURROUNDING)
    return folded if len(folded.encode()) >= ENOUGH else ""


def context_above(known: Mapping[int, str], cited: Mapping[int, str]) -> tuple[str, ...]:
    """Return the context of the `cited` lines among the lines read: headings, table header, years, a mail's header."""
    if not cited:
        return ()
    headings = {sentence.above for sentence in sentences(known) if sentence.above and sentence.last_line in cited}
    first = min(cited)
    # The years come first: a row gets those of the header above it.
    heading = table_heading(known, first)
    years = () if any(map(is_year_header, heading)) else (year_line(known, first),)
    above = (*sorted(headings), *years, *heading, table_header(known, first), *mail_header(known))
    return tuple(dict.fromkeys(filter(None, above)))


def mail_header(known: Mapping[int, str]) -> tuple[str, ...]:
    """Return the fields above the text of a mail: who wrote it to whom, and when."""
    fields = list(takewhile(_FIELD.match, (known.get(number, "") for number in range(1, MAIL_FIELDS + 1))))
    named = tuple(filter(_NAMED_FIELD.match, fields))
    return named if len(named) > 1 and any(field.startswith(("From:", "Von:")) for field in named) else ()
