"""Checks a claim against the lines of its citations, their context and the question; lexical, without a model call.

Figures, names, negations, extents and directions must agree. In another language than that of the lines only figures,
codes and names are compared: they survive a translation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.agent.citations.absence import unmentioned
from desktop_rag.agent.citations.checks.chinese_claims import chinese_faults, is_chinese
from desktop_rag.agent.citations.checks.claim_alterations import is_negation
from desktop_rag.agent.citations.checks.claim_alternatives import exchanged_role
from desktop_rag.agent.citations.checks.claim_cells import other_record, other_row, other_year
from desktop_rag.agent.citations.checks.claim_changes import (
    difference_as_amount,
    other_direction,
    other_growth,
    wrong_direction,
    wrong_multiple,
)
from desktop_rag.agent.citations.checks.claim_clauses import (
    confirms,
    denied_subject,
    excepted,
    exchanged_sides,
    only_excepted,
    opposed_clauses,
    other_condition,
)
from desktop_rag.agent.citations.checks.claim_comparisons import compared_otherwise
from desktop_rag.agent.citations.checks.claim_context import other_period, out_of_context
from desktop_rag.agent.citations.checks.claim_differences import other_difference
from desktop_rag.agent.citations.checks.claim_events import not_happened
from desktop_rag.agent.citations.checks.claim_extremes import wrong_extreme
from desktop_rag.agent.citations.checks.claim_names import NOUNS_ARE_CAPITAL, names_not_in
from desktop_rag.agent.citations.checks.claim_polarity import (
    content_stems,
    contradictions,
    is_content,
    likeness,
    share_of,
)
from desktop_rag.agent.citations.checks.claim_roles import misbound
from desktop_rag.agent.citations.checks.claim_segments import from_other_clause
from desktop_rag.agent.citations.checks.claim_senders import other_sender
from desktop_rag.agent.citations.checks.claim_subjects import joined_names, other_kind, other_list, other_subject
from desktop_rag.agent.citations.checks.claim_substitutions import ENGLISH, substitutions
from desktop_rag.agent.citations.checks.claim_translations import other_measure, translated_denial
from desktop_rag.agent.citations.checks.parallel_clauses import mixed_clauses
from desktop_rag.agent.citations.claim_words import ClaimEvidence, split_words, stems_of
from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, sentences
from desktop_rag.agent.citations.sums.computed_figures import recompute
from desktop_rag.agent.citations.sums.operand_places import is_misplaced
from desktop_rag.agent.citations.support import CitedLines, missing_figures, word_overlap
from desktop_rag.agent.events import ClaimFault, Operand
from desktop_rag.index.keywords.analysis import DENSE
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.language_detection import detect, word_scores
from desktop_rag.text.language_profiles import LATIN

MIN_SHARED = 0.34  # share of a claim's content words below which its lines do not say it
MIN_SHARED_NAMED = 0.2  # the same if it has figures or names, which agree
MAX_RECOMPUTED = 8  # figures of a claim for which a sum is sought: that takes milliseconds each
MAX_QUOTED_FIGURES = 4  # in the quotations of a claim, dates included
SAME_SENTENCE = 0.8  # share of a claim's words in the sentence that it may alter
LANGUAGE_SAMPLE = 1_000  # characters of the lines that show their language
LIKELY = 0.5  # share of the common words of the likeliest language that another one must have
SAME_WORDS = 3  # before a figure
SURE_FIGURES = 2  # that agree and show that the lines are meant
MAX_PROSE = 8_000  # characters of lines that are compared clause by clause
MANY_PLAIN = 4  # different content words beside names and figures, of which lines must have one
FEW_WORDS = 3  # content words beside names and figures that are not counted: “h is 8”
REPEATED = 0.6  # share of a claim's plain words in its lines that shows that both are in one language
FOREIGN_WORDS = 0.12  # share of common words of another language in a claim without any of its lines' language
_DENSE = re.compile(f"[{DENSE}]")
_detected = lru_cache(maxsize=256)(detect)
_evidence = lru_cache(maxsize=64)(ClaimEvidence)
_COUNTS = re.compile(r"\b(?:all|the|these|of|over|alle|aller|die|der|den|les|des|los|las|de)\s$", re.IGNORECASE)
_REPLY = re.compile(r"^\W*(?:yes|no|ja|nein|oui|non|sí|si|no)\s*[,:;.–—-]\s*", re.IGNORECASE)  # to the question
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s<>()\[\]]*[^\s<>()\[\].,;:!?]")
_EMPHASIS = re.compile(r"\*\*|__(?=\s|$)|(?<!\S)__|~~|`")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")  # of Markdown, as in “3\.1”, which would be an item of a list without it


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """The faults of a claim, none if its lines support it, and the sum from which a figure was computed."""

    faults: tuple[ClaimFault, ...] = ()
    computed: str = ""
    operands: tuple[Operand, ...] = ()
    translated: bool = False  # it is in another language than its lines


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A claim and what it is compared with: its sources, in several cuts, and the question."""

    claim: str
    sources: Sequence[CitedLines]
    question: str
    near: str  # the question, and the words that the citations quote
    alike: tuple[str, ...]  # the source sentences most like the claim, the best first
    lines: str  # that are cited
    read: tuple[str, ...]  # the texts of the sources, with their context
    evidence: ClaimEvidence  # of lines, context and question
    nearby: ClaimEvidence  # of the paragraphs around the lines, too
    spoken: str  # the language of the claim
    translated: bool  # the lines are in another one

    @property
    def nearest(self) -> str:
        """Return the source sentence most like the claim, "" if there is none."""
        return self.alike[0] if self.alike else ""

    @property
    def prose(self) -> str:
        """Return the sentences of the lines without the rows of tables, one on each line; "" of too many lines."""
        if len(self.lines) > MAX_PROSE:
            return ""
        return "\n".join(each.text for each in _shaped(self.sources) if each.shape is not SentenceShape.ROW)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the lines of the sources and of their context."""
        return tuple(text for source in self.sources for text in source.texts())

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Return the paragraphs around the cited lines."""
        return tuple(source.paragraph for source in self.sources if source.paragraph)


def check_claim(claim: str, sources: Sequence[CitedLines], question: str, quoted: Sequence[str] = ()) -> ClaimCheck:
    """Return what the cited lines, together with their context and the question, lack or contradict of a claim.

    `quoted` are the words that its citations quote: few figures in them are operands that the claim names.
    """
    it = _comparison(_REPLY.sub("", _ESCAPE.sub(r"\1", _EMPHASIS.sub("", claim))), sources, question, quoted)
    names = names_not_in(it.claim, it.nearby, it.spoken, "" if it.translated else it.nearest)
    missing = [figure for figure in missing_figures(it.claim, sources) if not any(figure in name for name in names)]
    sums = _sums(it, missing)
    faults = [ClaimFault("name", name) for name in (*names, *_addresses_not_in(it.claim, it.nearby.text))]
    faults += (
        ClaimFault("figure", each, _instead(each, it.claim, it.nearest)) for each in missing if sums[each] is None
    )
    if not it.translated and _is_dense(it.claim) and is_chinese(it.evidence.text):
        faults += chinese_faults(it.claim, it.lines, it.nearby.text)
    elif it.translated:
        faults += () if faults else _translated_faults(it)[:1]
    else:
        against = contradictions(it.claim, it.alike, it.evidence.folds)
        faults += () if only_excepted(it.claim, it.prose) else _unconfirmed(it, against)
        faults += () if faults else next(filter(None, map(tuple, _compared(it, computed=any(sums.values())))), ())
    computed = "; ".join(filter(None, sums.values()))
    faults += () if faults else other_growth(it.claim, computed, it.lines)
    faults += () if faults else other_difference(it.claim, computed, it.lines, "\n".join(it.read))
    if any(each and " − " in each for each in sums.values()):  # “15 did not agree”: those that are left
        faults = [each for each in faults if each.kind != "negation"]
    if (thing := unmentioned(it.claim)) is not None:
        return ClaimCheck(_mentioned(thing, it.claim, sources, faults))
    return ClaimCheck(tuple(faults), computed, translated=it.translated)


def _comparison(claim: str, sources: Sequence[CitedLines], question: str, quoted: Sequence[str]) -> _Comparison:
    texts = tuple(text for source in sources for text in source.texts())
    paragraphs = tuple(source.paragraph for source in sources if source.paragraph)
    evidence = _evidence((*texts, question))
    language = _detected("\n".join(texts)[:LANGUAGE_SAMPLE])
    spoken = _language(claim, language)
    foreign = bool(language) and not _may_be_in(spoken, language, texts) and not _repeats(claim, texts)
    translated = foreign or _is_dense(claim) != _is_dense(evidence.text)
    return _Comparison(
        claim,
        sources,
        question,
        near=f"{question} {_operands_quoted(quoted)}",
        alike=_most_alike(claim, sources),
        lines="\n".join(map(_cited_text, sources)),
        read=tuple(source.text() for source in sources),
        evidence=evidence,
        nearby=_evidence((*texts, question, *paragraphs)) if paragraphs else evidence,
        spoken=language if spoken != language and language and not translated else spoken,
        translated=translated,
    )


def _sums(it: _Comparison, missing: Sequence[str]) -> Mapping[str, str | None]:
    """Return the sum that gives each figure that the lines lack, None where there is none."""
    sums = {
        figure: None
        if index >= MAX_RECOMPUTED or _is_replaced(figure, it.claim, it.nearest)
        else recompute(figure, it.read, it.claim, it.near)
        for index, figure in enumerate(missing)
    }
    sums = {figure: None if each and is_misplaced(each, it.claim, it.read) else each for figure, each in sums.items()}
    return sums | dict(_counted(sums, it.claim))


def _translated_faults(it: _Comparison) -> tuple[ClaimFault, ...]:
    """Return the periods, directions, measures and denials of a claim that lines in another language contradict."""
    return (
        *other_period(it.claim, it.nearest),
        *other_direction(it.claim, it.lines),
        *wrong_direction(it.claim, it.lines, "\n".join(it.read)),
        *other_measure(it.claim, it.lines),
        *translated_denial(it.claim, it.lines),
    )


def _unconfirmed(it: _Comparison, faults: Sequence[ClaimFault]) -> Iterator[ClaimFault]:
    """Yield the faults without the directions that a clause of the lines confirms."""
    prose = it.prose
    yield from (each for each in faults if each.kind != "direction" or not confirms(it.claim, prose, each.text))


def _compared(it: _Comparison, *, computed: bool) -> Iterator[Iterable[ClaimFault]]:
    """Yield what each check finds, the surest first; `computed`: a figure of the claim is the result of a sum."""
    claim, lines, prose, read = it.claim, it.lines, it.prose, "\n".join(it.read)
    begun = next((line for line in lines.split("\n") if it.nearest and it.nearest in line), it.nearest)
    own = _evidence((*it.texts, *it.paragraphs))
    yield (*other_subject(claim, begun, own), *other_list(claim, it.question, lines))
    yield (*joined_names(claim, it.nearby), *other_kind(claim, it.nearest, it.nearby))
    yield other_sender(claim, read)
    yield (*wrong_direction(claim, lines, read), *wrong_multiple(claim, lines, read))
    yield wrong_extreme(claim, lines, read)
    if not computed:
        yield (
            *other_row(claim, lines, read),
            *other_record(claim, lines),
            *other_year(claim, read),
            *difference_as_amount(claim, lines),
        )
    apart = (*misbound(claim, lines), *out_of_context(claim, it.nearest, lines))
    yield (each for each in apart if each.kind != "figure" or recompute(each.text, it.read, claim, it.near) is None)
    yield not_happened(claim, it.nearest, lines)
    yield () if computed else other_measure(claim, lines)
    yield exchanged_role(claim, it.nearest)
    yield compared_otherwise(claim, prose, read)
    yield (*opposed_clauses(claim, prose), *other_condition(claim, prose), *excepted(claim, prose))
    yield (*denied_subject(claim, prose), *exchanged_sides(claim, prose))
    yield from_other_clause(claim, it.alike, lines, nouns_are_capital=it.spoken in NOUNS_ARE_CAPITAL)
    yield () if computed else mixed_clauses(claim, prose)
    if not computed and it.spoken == ENGLISH:
        yield substitutions(claim, it.nearest, it.nearby.stems)
    if not computed and not _shares_wording(claim, it.evidence.text):
        yield (ClaimFault("wording", ""),)


def _addresses_not_in(claim: str, text: str) -> Iterator[str]:
    """Yield the mail and web addresses of a claim that a text does not have."""
    yield from (each for each in _ADDRESS.findall(claim) if each.casefold() not in text.casefold())


def _may_be_in(spoken: str, read: str, texts: Sequence[str]) -> bool:
    """Return whether lines whose language was found to be `read` may be in another: of a few words it is a guess."""
    if spoken == read:
        return True
    scores = word_scores("\n".join(texts)[:LANGUAGE_SAMPLE], LATIN)
    return bool(scores.get(spoken)) and scores[spoken] >= LIKELY * scores.get(read, 1)


def _repeats(claim: str, texts: Sequence[str]) -> bool:
    """Return whether lines have most plain words of a claim: of a few words the language is a guess."""
    plain = [word for word in split_words(claim) if not word.is_capital and word.fold.isalpha() and is_content(word)]
    written = frozenset[str]().union(*map(stems_of, texts))
    return bool(plain) and sum(word.stem in written for word in plain) >= REPEATED * len(plain)


def _cited_text(source: CitedLines) -> str:
    return "\n".join(source.lines[number] for number in sorted(source.lines))


def _mentioned(
    thing: str, claim: str, sources: Sequence[CitedLines], faults: Sequence[ClaimFault]
) -> tuple[ClaimFault, ...]:
    """Return the faults of a claim that its lines do not mention a thing: one if they do, and deny nothing."""
    lines = "\n".join(map(_cited_text, sources))
    words = [word for word in split_words(thing) if is_content(word)]
    if not words or not all(word.stem in stems_of(lines) for word in words):
        return ()
    if any(map(is_negation, split_words(lines))):
        return tuple(faults)
    negation = next((word.text for word in split_words(claim) if is_negation(word)), claim)
    return (ClaimFault("negation", negation, thing),)


def _operands_quoted(quoted: Sequence[str]) -> str:
    """Return the quotations of a claim; empty with so many figures that a wrong sum may fit by chance."""
    text = " ".join(quoted)
    return text if len(read_figures(text).figures) <= MAX_QUOTED_FIGURES else ""


def _shares_wording(claim: str, text: str) -> bool:
    """Return whether a text contains enough words of a claim; fewer suffice if its names and figures agree."""
    words = split_words(claim)
    named = any(word.is_capital and not word.starts for word in words) or bool(read_figures(claim).figures)
    if named and sum(map(is_content, words)) < FEW_WORDS:
        return True
    if (
        sum(bool(each.digits and each.values) and not each.is_year for each in read_figures(claim).figures)
        >= SURE_FIGURES
    ):
        return True  # all of them agree
    plain = [word.stem for word in words if is_content(word) and not word.is_capital and word.fold.isalpha()]
    if len(set(plain)) >= MANY_PLAIN and stems_of(text).isdisjoint(plain) and not read_figures(claim).figures:
        return False  # it has only names in common with them
    return word_overlap(claim, text) >= (MIN_SHARED_NAMED if named else MIN_SHARED)


def _instead(figure: str, claim: str, sentence: str) -> str:
    """Return the figure that the sentence most like a claim has in the place of a missing one; empty if unclear."""
    [mine, *_] = read_figures(figure).figures or (None,)
    if mine is None:
        return ""
    said = {each.text for each in read_figures(claim).figures}
    others = [each for each in read_figures(sentence).figures if each.text not in said and not each.part]
    others = [each for each in others if _is_same_kind(mine, each)]
    alike = [each for each in others if _digits(each.text) == _digits(figure)]
    return alike[0].text if alike else others[0].text if len(others) == 1 else ""


def _counted(sums: Mapping[str, str | None], claim: str) -> Iterator[tuple[str, str]]:
    """Yield the figures that count the operands of a sum of the claim, with an empty sum: “all four together”."""
    counts = {each.count(" + ") + 1 for each in sums.values() if each and " + " in each}
    for figure in (each for each in sums if sums[each] is None):
        values = [each.values[0] for each in read_figures(figure).figures if each.values and not each.digits[2:]]
        if values and values[0] in counts and _COUNTS.search(claim[: claim.find(figure)]):
            yield figure, ""


def replaces_a_figure(figure: str, claim: str, sources: Sequence[CitedLines]) -> bool:
    """Return whether a figure of a claim stands in the place of another one of a nearly equal sentence."""
    return any(_is_replaced(figure, claim, sentence) for sentence in _most_alike(claim, sources))


def _is_replaced(figure: str, claim: str, sentence: str) -> bool:
    """Return whether a nearly equal sentence has another figure after the same words: it is altered, not computed."""
    if likeness(split_words(claim), sentence) < SAME_SENTENCE:
        return False
    words = [word.fold for word in split_words(claim[: max(claim.find(figure), 0)])][-SAME_WORDS:]
    folds = [word.fold for word in split_words(sentence)]
    after = [folds[at + SAME_WORDS] for at in range(len(folds) - SAME_WORDS) if folds[at : at + SAME_WORDS] == words]
    return len(words) == SAME_WORDS and any(each[:1].isdigit() for each in after)


def _is_same_kind(one: Figure, other: Figure) -> bool:
    """Return whether two figures measure alike: two dates, two names, two amounts of one unit."""
    if (bool(one.when), one.period and one.period[0], bool(one.name), one.is_year) != (
        bool(other.when), other.period and other.period[0], bool(other.name), other.is_year
    ):  # fmt: skip
        return False
    return bool(one.kinds & other.kinds) or one.kinds == other.kinds


def _digits(figure: str) -> str:
    """Return the digits of a figure without outer zeros: a factor of ten keeps them."""
    return re.sub(r"\D", "", figure).strip("0")


def _is_dense(text: str) -> bool:
    """Return whether a text is mostly written in a script without word spaces, such as Chinese."""
    dense = 0 if text.isascii() else len(_DENSE.findall(text))
    return dense > 0 and 2 * dense > sum(map(str.isalpha, text))


def _language(claim: str, read: str) -> str:
    """Return the language of a claim; a short one is in that of its lines unless it has words of another only."""
    if found := _detected(claim):
        return found
    scores = word_scores(claim, LATIN)
    best = max(scores, key=scores.__getitem__)
    return best if not scores.get(read) and scores[best] > FOREIGN_WORDS else read


def _most_alike(claim: str, sources: Sequence[CitedLines]) -> tuple[str, ...]:
    """Return the source sentences by likeness to the claim, the best first."""
    stems = content_stems(split_words(claim))
    ranked = sorted(_sentences(sources), key=lambda text: -share_of(stems, text))
    return tuple(ranked[:3])


def _sentences(sources: Sequence[CitedLines]) -> Iterator[str]:
    return (sentence.text for sentence in _shaped(sources))


def _shaped(sources: Sequence[CitedLines]) -> Iterator[SourceSentence]:
    return (sentence for source in sources for sentence in sentences(source.lines))
