"""Compares who says, wants or does something in a claim with who speaks in the cited chat.

“Mia sleeps badly” over “Tom: I have slept badly”, “Tom asked for bread” over “Mia: Could you send me bread?”. A line in
the first person is about its speaker; one with “you” may be about the other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.check_words import PASTS, TELLS, base_stem, word_set
from desktop_rag.agent.citations.check_words import words as word_list
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, content_stems, is_content, split_words, stems_of
from desktop_rag.index.keywords.analysis import fold

FEWEST = 2  # words of a clause that a line of a chat says, too
SHARE = 0.5  # of the words of the clause
CLEARLY = 2  # times as many words as any line of the speaker whom the claim names
_SPEAKER = re.compile(r"^(?P<name>[^\W\d_a-z][\w .'’-]{1,30}): (?P<words>\S.*)$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CLAUSE = re.compile(r"[;,]?\s(?:and|but|while|whereas|which|who|und|aber|während)\s|;\s")
_FIRST = word_set("i my me mine we our us i'm i've i'd i'll we're we've we'll ich mein meine mir mich wir unser uns")
_SECOND = word_set("you your yours you're you've you'd you'll du dein deine dir dich ihr euch sie ihnen ihre")
_SPEAKS = frozenset(map(base_stem, TELLS | word_list("speaks")))
_PROPOSES = frozenset(map(base_stem, word_set("propose suggest mention")))
_BE = word_set("is was are were be been being")


@dataclass(frozen=True, slots=True)
class _Turn:
    """A sentence of a chat: its speaker, its stems, and whether it tells of its speaker."""

    speaker: str
    stems: frozenset[str]
    own: bool


def other_speaker(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the speaker of a claim's clause if the line of a chat that has its words is another speaker's."""
    turns = [turn for match in _SPEAKER.finditer(evidence.lines) for turn in _turns(match["name"], match["words"])]
    names = {turn.speaker for turn in turns}
    listed = [line.split(", ") for line in evidence.table.split("\n") if ": " not in line]
    names = names.union(*(each for each in listed if names & set(each)))  # who else speaks in the chat
    if len(names) < FEWEST or statement.denies:
        return
    everybody = frozenset().union(*(stems_of(name) for name in names))
    for clause in _CLAUSE.split(statement.text):
        words = split_words(clause)
        subject, rest = _subject(words, names)
        stems = content_stems(rest) - everybody - _SPEAKS
        if not subject or len(stems) < FEWEST:
            continue
        best = max(turns, key=lambda turn: len(stems & turn.stems))
        said = len(stems & best.stems)
        known = max((len(stems & turn.stems) for turn in turns if turn.speaker == subject), default=0)
        speaks = bool(rest) and rest[0].stem in _SPEAKS and rest[0].fold not in _BE
        first = speaks and rest[0].stem in _PROPOSES  # others may repeat it
        is_said = said >= max(FEWEST, SHARE * len(stems), known if first else CLEARLY * known)
        if best.speaker != subject and (best.own or speaks) and is_said:
            yield ClaimFault("name", _written(clause, words, rest), best.speaker)
            return


def _turns(name: str, text: str) -> Iterator[_Turn]:
    for sentence in _SENTENCE.split(text):
        folds = {word.fold.replace("’", "'") for word in split_words(sentence)}
        yield _Turn(name, stems_of(sentence), not folds.isdisjoint(_FIRST) and folds.isdisjoint(_SECOND))


def _subject(words: Sequence[ClaimWord], names: set[str]) -> tuple[str, Sequence[ClaimWord]]:
    """Return the speaker with whose name a clause begins, and the words after it."""
    at = next((index for index, word in enumerate(words) if not word.is_capital), len(words))
    called = [
        name for name in names if at and _is_called([word.fold for word in words[:at]], fold(name).replace(" ", ""))
    ]
    passive = at < len(words) and words[at].fold in _BE and at + 1 < len(words) and _is_participle(words[at + 1])
    return (called[0], words[at:]) if len(called) == 1 and not passive else ("", ())


def _is_participle(word: ClaimWord) -> bool:
    return is_content(word) and (word.fold.endswith("ed") or word.fold in PASTS)


def _written(clause: str, words: Sequence[ClaimWord], rest: Sequence[ClaimWord]) -> str:
    return clause[words[0].start : words[len(words) - len(rest) - 1].end]


def _is_called(name: Sequence[str], speaker: str) -> bool:
    """Return whether a name may be that of a speaker, also written as one word: WolfgangSchulz, LiHua."""
    return "".join(name) in speaker or all(part in speaker for part in name)
