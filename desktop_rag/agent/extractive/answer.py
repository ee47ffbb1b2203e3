"""Writes the answer of the built-in model: quoted sentences with citations, or a not-found answer with the queries."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.references import REFERENCE
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence

MAX_QUOTES = 4  # sentences quoted for a single question
MAX_QUOTES_EACH = 2  # for each of several questions
MIN_SHARE = 0.72  # of the best score, for further sentences
MIN_SHARE_EACH = 0.95  # the same for each of several questions
SAME_SCORE = 0.97  # share of its score for another question at which a sentence is quoted for both
GOOD_SHARE = 0.75  # of the best score: a question gives up a sentence to another question if it has one as good
# The two below were tuned on questions about chat logs, including unanswerable ones.
MIN_COVERED = 0.45  # share of the question's words in and around the best sentence
MIN_COVERED_SEMANTIC = 0.3  # the same if a search by meaning ranked the sentence first or second
MIN_SCORE = 0.45
MIN_CONTEXT = 0.8  # share of the question's words around a sentence that has none of them itself
MIN_CONTEXT_SEMANTIC = 0.5  # the same if a search by meaning ranked the sentence first
NAME_PREFIX = 4  # letters that all inflected forms of a name share
MAX_QUOTE = 700  # characters of one quotation

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
    """Answer each question by quotations in Markdown, or return a not-found answer."""
    several = len(found) > 1
    chosen = [(question, _convincing(question, ranked, several=several)) for question, ranked in _assigned(found)]
    if not any(best for _, best in chosen):
        nearest = max((ranked[0] for _, ranked in found if ranked), key=lambda near: near.score, default=None)
        return _not_found(searched, nearest)
    return ExtractiveAnswer("\n\n".join(_paragraphs(chosen)), NOTE, found=True)


def _paragraphs(chosen: Sequence[tuple[AnalysedQuestion, list[RankedSentence]]]) -> Iterator[str]:
    """Yield the deduplicated quotations, and a sentence for each question without any."""
    quoted: list[CandidateSentence] = []
    for question, best in chosen:
        if not best:
            yield f"Not found in your library: “{without_markup(question.text)}”."
        for found in best:
            if not any(_similar(found.candidate, other) for other in quoted):
                quoted.append(found.candidate)
                yield _quotation(found)


def _assigned(found: Sequence[Found]) -> list[Found]:
    """Assign each sentence to the question it answers best, if the other questions have nearly as good ones."""
    best: dict[str, float] = {}
    for _, ranked in found:
        for one in ranked[:MAX_QUOTES]:
            best[one.candidate.text] = max(best.get(one.candidate.text, 0.0), one.score)
    assigned: list[Found] = []
    for question, ranked in found:
        own = [one for one in ranked if one.score >= SAME_SCORE * best.get(one.candidate.text, 0.0)]
        enough = bool(own) and own[0].score >= GOOD_SHARE * ranked[0].score
        assigned.append((question, own if enough else ranked))
    return assigned


def _convincing(question: AnalysedQuestion, ranked: Sequence[RankedSentence], *, several: bool) -> list[RankedSentence]:
    """Return the sentences worth quoting, best first; none if even the best one is below the thresholds."""
    if not ranked or ranked[0].score < MIN_SCORE or _lacks_names(question, ranked):
        return []
    best = ranked[0].candidate
    if not ranked[0].own and ranked[0].covered < (MIN_CONTEXT_SEMANTIC if best.focus == 1 else MIN_CONTEXT):
        return []
    has_head = not question.head or any(word in best.around | best.place_words for word in question.head)
    if ranked[0].covered < (MIN_COVERED_SEMANTIC if best.focus >= 0.5 and has_head else MIN_COVERED):
        return []
    limit, share = (MAX_QUOTES_EACH, MIN_SHARE_EACH) if several else (MAX_QUOTES, MIN_SHARE)
    enough = share * ranked[0].score
    return [ranked[0], *(more for more in ranked[1 : limit * 3] if more.score >= enough and more.own)][:limit]


def _lacks_names(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether an English question has names and no sentence that was read has any of them.

    Only in English does a capital letter mark a name. Inflected forms of a name share a prefix.
    """
    if _ENGLISH.isdisjoint(question.text.lower().split()):
        return False
    words = (word for name in question.names for word in name.split())
    named = {
        stem[:NAME_PREFIX] for word in words if word.istitle() and len(word) >= NAME_PREFIX for stem in stems(word)
    }
    read = {word[:NAME_PREFIX] for one in ranked for word in one.candidate.around | one.candidate.place_words}
    return bool(named) and named.isdisjoint(read)


def _not_found(searched: Sequence[str], nearest: RankedSentence | None) -> ExtractiveAnswer:
    """Return a not-found answer with the queries and the closest passage."""
    text = "[not found] Not found in your library."
    if searched:
        text += f" Searched for {', '.join(f'“{query}”' for query in searched)}."
    if nearest and nearest.covered > 0:
        text += f"\n\nThe closest passage, which may not answer the question:\n\n{_quotation(nearest)}"
    return ExtractiveAnswer(text, NO_MODEL)


def _quotation(found: RankedSentence) -> str:
    """Quote a sentence, with the previous one if it refers back by "he" or "this"."""
    candidate = found.candidate
    text, first = _truncated(candidate.text), candidate.first_line
    both = f"{candidate.before} {candidate.text}"
    if candidate.before and (candidate.leans or found.led) and len(both) <= MAX_QUOTE:
        text, first = both, candidate.before_line
    text = REFERENCE.sub(
        lambda name: f"{name[0][:4]}\u2060{name[0][4:]}", text
    )  # a reference in the source must not become a citation
    return f"> {text} {write_citation(candidate.reference, first, candidate.last_line, text)}"


def _truncated(text: str) -> str:
    """Truncate a text to `MAX_QUOTE` characters, between words."""
    return text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE + 1].rpartition(" ")[0] or text[:MAX_QUOTE]


def _similar(one: CandidateSentence, other: CandidateSentence) -> bool:
    """Return whether two sentences share most of their words."""
    shared = len(one.stems & other.stems)
    return shared >= 0.8 * max(1, min(len(one.stems), len(other.stems)))


def without_markup(text: str) -> str:
    """Replace characters that Markdown or citation syntax would interpret by spaces."""
    return "".join(" " if character in "[]()<>*_`#|【】" else character for character in text)
