"""Queries for the second hop of a question: what it asks about a name that only a sentence that was read tells.

“Who is the spouse of the director of Jump for Glory?” first finds “… directed by Raoul Walsh …”; the search for
“Raoul Walsh spouse” follows.
"""

from collections.abc import Mapping, Sequence

from desktop_rag.agent.extractive.content_words import ENGLISH, related, stems
from desktop_rag.agent.extractive.names_in_text import ROUGHLY, is_asked, new_names, origins, padded
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, weights_of
from desktop_rag.agent.extractive.word_forms import is_english
from desktop_rag.agent.tools.query_phrasing import plain_query

LEADING = 40  # best sentences, one of which leads on
LEADS = 0.1  # for the first sentence of a document, which says what it is about
MOST = 2  # names that are searched for
MIN_UNMET = 0.15  # weighted share of the question's words that the first sentence lacks
NEAR = 40  # characters around a name in which a word of the question says what the name is


def second_hop_queries(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> list[str]:
    """Return queries that join a name of the first hop with the words of the question which that lacks.

    None if the question names no document that was read: its words alone then lead to single sentences.
    """
    weights = weights_of(question, [one.candidate for one in ranked])
    first = _first_hop(question, ranked, weights) if is_english(question) else None
    if first is None:
        return []
    held = first.stems | first.place_words
    unmet = [word for word in question.words if not any(each in held or related(each) & held for each in stems(word))]
    if sum(weights.get(each, 0.0) for word in unmet for each in stems(word)) < MIN_UNMET:
        return []
    return [query for name in _leading_on(first.text, question) if (query := plain_query(" ".join((name, *unmet))))]


def _first_hop(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], weights: Mapping[str, float]
) -> CandidateSentence | None:
    """Return the sentence that says most about the names of a question, in a document that is called like one."""
    names = frozenset(stem for name in question.names for stem in stems(name))
    asked = padded(question.text)

    def value(one: RankedSentence) -> float:
        held = one.candidate.stems | one.candidate.place_words
        return sum(weights.get(word, 0.0) for word in names & held) + one.score / 2 + LEADS * (not one.candidate.before)

    titles = {title: is_asked(title, asked) for title in {one.candidate.title for one in ranked[:LEADING]}}
    named = [one for one in ranked[:LEADING] if titles[one.candidate.title] >= ROUGHLY]
    return max(named, key=value).candidate if named else None


def _leading_on(text: str, question: AnalysedQuestion) -> list[str]:
    """Return the names of a sentence that the question lacks, first those beside a word of it."""
    asked = frozenset(stems(question.text))
    same = frozenset(stem for name in question.names for stem in stems(name))
    beside: dict[str, bool] = {}
    for name in new_names(text, asked):
        before, _, after = text.partition(name)
        if same.isdisjoint(stems(name)) and not _describes(name, after):
            around = frozenset(stems(before[-NEAR:])) | frozenset(stems(after[:NEAR]))
            beside[name] = any(word in around or related(word) & around for word in asked)
    return sorted(beside, key=lambda name: not beside[name])[:MOST]


def _describes(name: str, after: str) -> bool:
    """Return whether a name is only the nationality of what follows: an American film."""
    following = after.split(maxsplit=1)[:1] if after.startswith(" ") else []
    return bool(origins(name)) and any(word.islower() and word not in ENGLISH for word in following)
