"""What nothing that was read mentions, and the passage that is closest to a question that nothing answers."""

from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import related, stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.agent.extractive.word_forms import is_foreign
from desktop_rag.index.keywords.analysis import fold_text

CLOSE_ACROSS = 0.4  # of the score of a passage in another language and its lead over the third; see docs/encoders.md
LEADING = 3
MIN_PREFIX = 4  # letters that two forms of a word share
ENDING = 3  # letters at the end of a word in which its forms may differ


def unread_words(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Iterator[str]:
    """Yield the names and codes of a question that no line, heading, title or file name that was read has in any form.

    A form begins like the word, stands inside of a compound, or is written in one word or with hyphens.
    """
    own = [one.candidate for one in ranked]
    text = fold_text(" ".join(f"{each.title} {each.file} {each.heading} {each.columns} {each.text}" for each in own))
    joined = "".join(filter(str.isalnum, text))
    held = frozenset[str]().union(*(each.stems | each.place_words for each in own))
    asked = dict.fromkeys((*question.codes, *(word for name in question.names for word in name.split())))
    for word in asked:
        letters = "".join(filter(str.isalnum, fold_text(word)))
        forms = frozenset(stems(word))
        if len(letters) < MIN_PREFIX and word not in question.codes:
            continue
        root = letters if word in question.codes else letters[: max(MIN_PREFIX, len(letters) - ENDING)]
        if ranked and forms and root not in joined and held.isdisjoint(forms.union(*map(related, forms))):
            yield word


def nearest(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> RankedSentence | None:
    """Return the best sentence if half of the question's words stand in and around it, and a name if it has some."""
    told = (one for one in ranked if one.own and one.candidate.shape is not SentenceShape.HEADING)
    best = next((one for one in told if not is_foreign(question, one.candidate)), None)
    if best is None:
        return None
    held = best.candidate.around | best.candidate.place_words
    names = frozenset(stem for name in question.names for stem in stems(name))
    is_named = not names or not names.isdisjoint(held)
    return best if is_named and 2 * sum(word in held for word in question.stems) >= len(question.stems) else None


def nearest_across(ranked: Sequence[RankedSentence]) -> RankedSentence | None:
    """Return the sentence nearest in meaning among those in another language, if it is close and stands out."""
    found: dict[str, RankedSentence] = {}  # by their passages
    for one in sorted(ranked, key=lambda each: -each.candidate.across):
        if one.candidate.across and one.candidate.shape is not SentenceShape.HEADING:
            found.setdefault(one.candidate.reference, one)
    nearest_first = list(found.values())
    scores = [one.candidate.across for one in nearest_first[:LEADING]]
    is_close = bool(scores) and 2 * scores[0] - scores[-1] >= CLOSE_ACROSS
    return nearest_first[0] if is_close else None
