"""Writes the built-in model's answer: quoted sentences, each with its citation, or what was looked for in vain."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.references import REFERENCE
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence

MOST = 4  # sentences quoted for one question
MOST_EACH = 2  # for each of several
CLOSE = 0.72  # share of the best score another sentence must reach
CLOSE_EACH = 0.95
EQUALLY = 0.97  # share of its score for another question at which a sentence answers both
NEARLY = 0.75  # share of the best score at which a question takes a sentence that no other question needs
# The two below were chosen on questions about chat logs, some of which have no answer there.
COVERED = 0.45  # share of the question that must stand in and around the best sentence
COVERED_MEANT = 0.3  # the same where a search by meaning put the sentence first or second
SCORE = 0.45
WHOLE = 0.8  # share that must stand around a sentence which says no word of the question itself
WHOLE_MEANT = 0.5  # the same where a search by meaning put the sentence first
ALIKE = 4  # letters with which forms of a name begin
LONGEST = 700  # characters of one quotation

NOTE = "*Quoted word for word from your documents. No language model wrote this.*"
NO_MODEL = "*No language model took part in this search.*"
KNOWS_NOTHING = (
    "The built-in model knows nothing by itself: it only quotes your documents, which were not searched for this. "
    "Ask what they may answer, or choose another way of working or a language model."
)

# A stored answer is plain text: when it is replayed, the notes in it are recognised by their wording.
_NOTES = re.compile("|".join(re.escape(note) for note in (NOTE, NO_MODEL, KNOWS_NOTHING)))
_ENGLISH = frozenset(("who", "whose", "what", "when", "where", "which", "why", "how", "did", "does", "is", "the", "of"))

Found = tuple[AnalysedQuestion, Sequence[RankedSentence]]


@dataclass(frozen=True, slots=True)
class ExtractiveAnswer:
    """Quotations as Markdown and the program's note on them; not `found` if no sentence answers the question."""

    text: str = ""
    note: str = ""
    found: bool = False

    @property
    def parts(self) -> tuple[tuple[str, bool], ...]:
        """Return text and note in order, each with whether it is a note."""
        return ((f"{self.text}\n\n" if self.text and self.note else self.text, False), (self.note, True))


def split_notes(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a stored answer, each with whether it is a note of the built-in model."""
    end = 0
    for note in _NOTES.finditer(text):
        yield text[end : note.start()], False
        yield note[0], True
        end = note.end()
    yield text[end:], False


def write_answer(found: Sequence[Found], searched: Sequence[str]) -> ExtractiveAnswer:
    """Answer each question in quotations, or say that the library does not hold it; as Markdown."""
    several = len(found) > 1
    chosen = [(question, _convincing(question, ranked, several=several)) for question, ranked in _shared_out(found)]
    if not any(best for _, best in chosen):
        nearest = max((ranked[0] for _, ranked in found if ranked), key=lambda near: near.score, default=None)
        return _not_found(searched, nearest)
    return ExtractiveAnswer("\n\n".join(_paragraphs(chosen)), NOTE, found=True)


def _paragraphs(chosen: Sequence[tuple[AnalysedQuestion, list[RankedSentence]]]) -> Iterator[str]:
    """Yield each quotation once, and a sentence for each question without any."""
    quoted: list[CandidateSentence] = []
    for question, best in chosen:
        if not best:
            yield f"Not found in your library: “{_plain(question.text)}”."
        for found in best:
            if not any(_alike(found.candidate, other) for other in quoted):
                quoted.append(found.candidate)
                yield _quotation(found)


def _shared_out(found: Sequence[Found]) -> list[Found]:
    """Leave a sentence to the question it answers best, where the other has nearly as good a one of its own."""
    best: dict[str, float] = {}
    for _, ranked in found:
        for one in ranked[:MOST]:
            best[one.candidate.text] = max(best.get(one.candidate.text, 0.0), one.score)
    shared: list[Found] = []
    for question, ranked in found:
        own = [one for one in ranked if one.score >= EQUALLY * best.get(one.candidate.text, 0.0)]
        enough = bool(own) and own[0].score >= NEARLY * ranked[0].score
        shared.append((question, own if enough else ranked))
    return shared


def _convincing(question: AnalysedQuestion, ranked: Sequence[RankedSentence], *, several: bool) -> list[RankedSentence]:
    """Return the sentences worth quoting, best first; none if even the best one hardly fits the question."""
    if not ranked or ranked[0].score < SCORE or _are_strangers(question, ranked):
        return []
    best = ranked[0].candidate
    if not ranked[0].own and ranked[0].covered < (WHOLE_MEANT if best.focus == 1 else WHOLE):
        return []
    speaks_of_it = not question.head or any(word in best.around | best.place_words for word in question.head)
    if ranked[0].covered < (COVERED_MEANT if best.focus >= 0.5 and speaks_of_it else COVERED):
        return []
    most, close = (MOST_EACH, CLOSE_EACH) if several else (MOST, CLOSE)
    enough = close * ranked[0].score
    return [ranked[0], *(more for more in ranked[1 : most * 3] if more.score >= enough and more.own)][:most]


def _are_strangers(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether a question in English names someone, and nothing that was read speaks of any of its names.

    Only there a capital tells a name; an inflected form begins alike.
    """
    if _ENGLISH.isdisjoint(question.text.lower().split()):
        return False
    words = (word for name in question.names for word in name.split())
    named = {stem[:ALIKE] for word in words if word.istitle() and len(word) >= ALIKE for stem in stems(word)}
    held = {word[:ALIKE] for one in ranked for word in one.candidate.around | one.candidate.place_words}
    return bool(named) and named.isdisjoint(held)


def _not_found(searched: Sequence[str], nearest: RankedSentence | None) -> ExtractiveAnswer:
    """Say that the library does not hold the answer, what was searched, and where something similar stands."""
    text = "[not found] Not found in your library."
    if searched:
        text += f" Searched for {', '.join(f'“{query}”' for query in searched)}."
    if nearest and nearest.covered > 0:
        text += f"\n\nThe closest passage, which may not answer the question:\n\n{_quotation(nearest)}"
    return ExtractiveAnswer(text, NO_MODEL)


def _quotation(found: RankedSentence) -> str:
    """Quote a sentence, with the one before it where "he" or "this" would hang in the air."""
    candidate = found.candidate
    text, first = _cut(candidate.text), candidate.first_line
    together = f"{candidate.before} {candidate.text}"
    if candidate.before and (candidate.leans or found.led) and len(together) <= LONGEST:
        text, first = together, candidate.before_line
    text = REFERENCE.sub(lambda name: f"{name[0][:4]}\u2060{name[0][4:]}", text)  # the source's own is no citation
    return f"> {text} {write_citation(candidate.reference, first, candidate.last_line, text)}"


def _cut(text: str) -> str:
    """Return at most `LONGEST` characters of a text; half a word is no quotation."""
    return text if len(text) <= LONGEST else text[: LONGEST + 1].rpartition(" ")[0] or text[:LONGEST]


def _alike(one: CandidateSentence, other: CandidateSentence) -> bool:
    """Return whether two sentences say nearly the same words."""
    shared = len(one.stems & other.stems)
    return shared >= 0.8 * max(1, min(len(one.stems), len(other.stems)))


def _plain(text: str) -> str:
    """Return what a person wrote without what Markdown or a citation would take for its own."""
    return "".join(" " if character in "[]()<>*_`#|【】" else character for character in text)
