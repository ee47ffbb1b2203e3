"""Finds a phone number, mail address or home of whom a question describes: “the electrician's phone number”.

Who that is may stand elsewhere: “The shift leader is Gwendolyn Asher”, “Gwendolyn Asher: … lives at 8 Ferry Lane”.
"""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.names_in_text import new_names
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.text.dates import mentions

MIN_DIGITS = 7  # of a phone number
NEAR = 30  # characters between what someone is and the name: “The shift leader is …”
_PHONE = re.compile(r"\+?\(?\d[\d ()/-]{5,}\d")
_NUMBER = re.compile(
    r"(?:phone|mobile) number|\bnumber\b.*\btelephone|[’']s (?:phone|telephone|mobile)\W*$|"
    r"\b(?:telefon|handy)nummer",
    re.IGNORECASE,
)
_KINDS = (  # what asks for a detail, and what states it
    (_NUMBER, _PHONE),
    (re.compile(r"\be-?mail address\b|\bmail-?adresse\b", re.IGNORECASE), re.compile(r"\S+@\S+\.\w+")),
    (
        re.compile(r"\bwhere (?:does|do|did)\b.*\blive\b|\b(?:home )?address of\b|\bwo wohn(?:t|en)\b", re.IGNORECASE),
        re.compile(r"\b(?:lives? (?:at|in)|address|adresse|wohnt)\b.*\w", re.IGNORECASE),
    ),
)
_ASKING = frozenset(
    stems("phone telephone mobile number email mail address home live telefonnummer handynummer adresse wohnt")
)


def contact_words(question: AnalysedQuestion) -> frozenset[str]:
    """Return the stems that say whose detail a question asks for; none if it asks for no such detail."""
    asked = any(asks.search(question.text) for asks, _ in _KINDS)
    return frozenset(question.stems) - _ASKING if asked else frozenset()


def lacks_detail(question: AnalysedQuestion, texts: Sequence[str]) -> bool:
    """Return whether a question asks for such a detail and no text has one."""
    stating = [states for asks, states in _KINDS if asks.search(question.text)]
    return bool(stating) and not any(_states(states, text) for states in stating for text in texts)


def described_name(words: frozenset[str], sentence: CandidateSentence) -> str:
    """Return the name of whom a sentence says to be what these words describe; "" if it does not.

    The words it lacks may stand in its heading: “Hotel Harmonie” under “Ghent”.
    """
    if not words & sentence.stems or not words <= sentence.stems | sentence.place_words:
        return ""
    text = sentence.text
    names = [*dict.fromkeys((*new_names(text, frozenset()), *new_names(text, words)))]
    shared = {name: words.intersection(stems(name)) for name in names}
    for name, held in shared.items():
        if held == words or (held and " " in name):  # Ghent alone is no hotel in Ghent
            return name
    for name in (name for name, held in shared.items() if not held):
        at = text.find(name)
        before, after = text[max(0, at - NEAR) : at], text[at + len(name) : at + len(name) + NEAR]
        if _ends_with(before, words) or _begins_with(after, words):
            return name
    return ""


def contact_detail(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> tuple[CandidateSentence, ...]:
    """Return the sentence with the detail, behind the one that says whose it is if that is another.

    None unless only one name is described and one sentence has the detail of it.
    """
    words = contact_words(question)
    stating = next((states for asks, states in _KINDS if asks.search(question.text)), None)
    if not words or stating is None:
        return ()
    told = [each for each in read if each.shape is not SentenceShape.HEADING]
    detailed = [each for each in told if _states(stating, each.text)]
    direct = [each for each in detailed if words <= each.stems]
    if direct:
        return (direct[0],) if len(direct) == 1 else ()
    described = ((name, who) for who in told if (name := described_name(words, who)))
    found = {name: (who, detail) for name, who in described for detail in _of_name(name, detailed)}
    found = found or dict(_told_apart(words, told, detailed))
    return next(iter(found.values())) if len(found) == 1 else ()


def _of_name(name: str, detailed: Sequence[CandidateSentence]) -> Iterator[CandidateSentence]:
    """Yield the sentence that has the name and the detail, if it is the only one."""
    found = [each for each in detailed if re.search(rf"\b{re.escape(name)}\b", each.text)]
    yield from found if len(found) == 1 else ()


def _told_apart(
    words: frozenset[str], told: Sequence[CandidateSentence], detailed: Sequence[CandidateSentence]
) -> Iterator[tuple[str, tuple[CandidateSentence, CandidateSentence]]]:
    """Yield names that stand beside some of the words and the detail, and beside the other words elsewhere."""
    for detail in (each for each in detailed if words & each.stems):
        for name in new_names(detail.text, words):
            rest = words - detail.stems
            yield from [(name, (one, detail)) for one in told if rest <= one.stems and name in one.text][:1]


def _states(detail: re.Pattern[str], text: str) -> bool:
    """Return whether a text has such a detail; a date is no phone number."""
    if detail is not _PHONE:
        return bool(detail.search(text))
    dates = [text[each.start : each.end] for each in mentions(text)]
    return any(
        sum(map(str.isdigit, found[0])) >= MIN_DIGITS and not any(date in found[0] for date in dates)
        for found in _PHONE.finditer(text)
    )


def _ends_with(before: str, words: frozenset[str]) -> bool:
    """Return whether what stands before a name says that it is someone: “the shift leader is”, “electrician:”."""
    said = re.sub(r"\W*(?:\b(?:is|are|was|ist|war|heißt)\b)?\W*$", "", before).split()
    return bool(said and words.intersection(stems(said[-1])))


def _begins_with(after: str, words: frozenset[str]) -> bool:
    """Return whether what stands behind a name says what it is: “, electrician”, “is the shift leader”."""
    said = re.match(r"[\s,(–-]*(?:(?:is|was|as|ist|war|our|my|the|an?|der|die) )*([^.;,:()]+)", after)
    return bool(said and words.intersection(stems(said[1])))
