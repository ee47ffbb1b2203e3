"""Checks a claim against the lines of its citations, their context and the question; lexical, without a model call.

Each check compares a claim with its evidence and yields faults; one without anything to compare is silent. Their order:

0. A whole sentence or clause of the cited lines, word for word, is never doubted.
1. What the evidence must have: names, addresses, figures. A figure that it lacks may be a sum of those that it has.
2. `SENTENCE_CHECKS` compare with the sentence most like the claim, if most words of the claim stand there.
3. `RELATION_CHECKS`, if nothing was found: who, which row, clause or year, which direction; the first that finds
   something decides, the surest come first.
4. Whether the evidence shares enough words with the claim at all.

In another language than that of the lines `FOREIGN_CHECKS` replace 2 to 4: codes, names, figures and a few classes
of words survive a translation. Chinese is compared by `chinese_faults`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.absence import unmentioned
from desktop_rag.agent.citations.check_words import FALLS, ORDERS, PRONOUNS, RISES, base_stem
from desktop_rag.agent.citations.checks import (
    claim_alterations,
    claim_alternatives,
    claim_causes,
    claim_cells,
    claim_changes,
    claim_clauses,
    claim_dates,
    claim_differences,
    claim_events,
    claim_labels,
    claim_owners,
    claim_pairs,
    claim_parts,
    claim_polarity,
    claim_roles,
    claim_segments,
    claim_signs,
    claim_speakers,
    claim_strength,
    claim_subjects,
    claim_translations,
)
from desktop_rag.agent.citations.checks.chinese_claims import chinese_faults, is_chinese
from desktop_rag.agent.citations.checks.claim_evidence import (
    Check,
    CitedEvidence,
    ClaimText,
    cited_evidence,
    is_dense,
    most_alike,
)
from desktop_rag.agent.citations.checks.claim_names import names_not_in
from desktop_rag.agent.citations.checks.claim_owners import difference_of_owners
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    is_content,
    is_negation,
    likeness,
    split_words,
    stems_of,
)
from desktop_rag.agent.citations.exchanged_figures import figure_instead
from desktop_rag.agent.citations.sums.computed_figures import recompute
from desktop_rag.agent.citations.sums.operand_places import is_misplaced
from desktop_rag.agent.citations.support import CitedLines, is_quotation, missing_figures, word_overlap
from desktop_rag.agent.citations.true_faults import true_faults
from desktop_rag.agent.events import Operand
from desktop_rag.text.figures import read_figures

MIN_LIKE = 0.5  # share of the claim's content words in a sentence that can contradict it
MIN_SHARED = 0.15  # share of a claim's content words below which its lines are about something else
FEWEST_WORDS = 2  # content words that are compared
BEGINNING = 5  # letters that show a compound with a word of the lines in other languages than English
FEW_WORDS = 3  # the same beside a figure in other languages, whose compounds are one word: “Monatsmiete”
MAX_RECOMPUTED = 8  # figures of a claim for which a sum is sought: that takes milliseconds each
MAX_MISSING = 20  # figures of a claim that are told
MAX_QUOTED_FIGURES = 4  # in the quotations of a claim, dates included
SAME_SENTENCE = 0.8  # share of a claim's words in the sentence that it may alter
SAME_WORDS = 3  # before a figure
SURE_FIGURES = 2  # that agree and show that the lines are meant
_COUNTS = re.compile(r"\b(?:all|the|these|of|over|alle|aller|die|der|den|les|des|los|las|de)\s$", re.IGNORECASE)
_FACTOR = re.compile(r"[×÷] (\d{1,2})(?![\d.,])")
_PART_OF_DECADE = re.compile(r"(?<=\b(?:mid))-(?=\d{4}s?\b)", re.IGNORECASE)  # mid-1950s
_REPLY = re.compile(r"^\W*(?:yes|no|ja|nein|oui|non|sí|si|no)\s*[,:;.–—-]\s*", re.IGNORECASE)  # to the question
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s<>()\[\]]*[^\s<>()\[\].,;:!?]")
_EMPHASIS = re.compile(r"\*\*|__(?=\s|$)|(?<!\S)__|~~|`")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")  # of Markdown, as in “3\.1”, which would be an item of a list without it

SENTENCE_CHECKS: tuple[Check, ...] = (
    claim_alterations.alterations,
    claim_alterations.other_figure,
    claim_polarity.other_negation,
    claim_polarity.forbidden,
    claim_polarity.other_extent,
    claim_alternatives.alternatives,
    claim_alternatives.other_count,
    claim_alternatives.reversed_pair,
    claim_alternatives.other_multiple,
)
RELATION_CHECKS: tuple[Check, ...] = (
    claim_subjects.other_sender,
    claim_speakers.other_speaker,
    claim_changes.wrong_direction,
    claim_changes.wrong_multiple,
    claim_changes.amount_or_change,
    claim_signs.other_sign,
    claim_alternatives.split_vote,
    claim_alternatives.other_bound,
    claim_segments.other_vote,
    claim_roles.crossed_roles,
    claim_owners.other_owner,
    claim_owners.wrong_comparison,
    claim_pairs.exchanged_pairs,
    claim_dates.other_order,
    claim_cells.other_row,
    claim_cells.other_record,
    claim_cells.other_year,
    claim_cells.other_column,
    claim_labels.misbound,
    claim_dates.other_period,
    claim_strength.unsettled,
    claim_events.not_happened,
    claim_causes.other_cause,
    claim_events.exception_dropped,
    claim_roles.other_party,
    claim_translations.other_measure,
    claim_strength.unlimited,
    claim_clauses.opposed_clauses,
    claim_parts.excluded,
    claim_parts.other_side,
    claim_parts.beyond_limit,
    claim_parts.other_lead_in,
    claim_parts.crossed_clauses,
    claim_parts.other_date,
    claim_parts.other_doer,
    claim_segments.from_other_clause,
    claim_alterations.substitutions,
)
FOREIGN_CHECKS: tuple[Check, ...] = (
    claim_dates.other_period,
    claim_changes.other_direction,
    claim_changes.wrong_direction,
    claim_translations.other_measure,
    claim_translations.translated_denial,
)

SUM_CHECKS: tuple[Check, ...] = (
    claim_differences.other_growth,
    claim_differences.other_difference,
    claim_differences.other_year_summed,
)


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """The faults of a claim, none if its lines support it, and the sum from which a figure was computed."""

    faults: tuple[ClaimFault, ...] = ()
    computed: str = ""
    operands: tuple[Operand, ...] = ()
    translated: bool = False  # it is in another language than its lines


def check_claim(
    claim: str,
    sources: Sequence[CitedLines],
    question: str,
    quoted: Sequence[str] = (),
    calculated: Sequence[str] = (),
) -> ClaimCheck:
    """Return what the cited lines, together with their context and the question, lack or contradict of a claim.

    `quoted` are the words that its citations quote: few figures in them are operands that the claim names.
    `calculated` are the sums of the run that it cites.
    """
    text = _PART_OF_DECADE.sub(" ", _REPLY.sub("", _ESCAPE.sub(r"\1", _EMPHASIS.sub("", claim))))
    if is_quotation(text, sources):
        return ClaimCheck()
    statement, evidence = cited_evidence(text, sources, question)
    names = names_not_in(text, evidence.nearby, statement.language, "" if evidence.foreign else evidence.nearest)
    missing = [figure for figure in missing_figures(text, sources) if not any(figure in name for name in names)]
    missing = missing[:MAX_MISSING]
    near = f"{question} {_operands_quoted(quoted)}"
    sums = _sums(statement, evidence, missing, near)
    statement = replace(statement, sums=tuple(dict.fromkeys(filter(None, sums.values()))))
    faults = [ClaimFault("name", name) for name in (*names, *_addresses_not_in(text, evidence.nearby.text))]
    faults += (
        ClaimFault("figure", each, figure_instead(each, text, evidence.nearest))
        for each in missing
        if sums[each] is None
    )
    if not evidence.foreign and is_dense(text) and is_chinese(evidence.known.text):
        faults += chinese_faults(text, evidence.lines, evidence.nearby.text)
    elif evidence.foreign:
        faults += () if faults else _first(FOREIGN_CHECKS, statement, evidence)[:1]
    else:
        faults += _contradictions(statement, evidence)
        faults += () if faults else _first(RELATION_CHECKS, statement, evidence)
        if not faults and not statement.sums and not calculated and not _shares_wording(statement, evidence):
            faults = [ClaimFault("wording", "")]
    if not faults:
        faults += _first(SUM_CHECKS, replace(statement, sums=(*statement.sums, *calculated)), evidence)
    if any(" − " in each for each in statement.sums):  # “15 did not agree”: those that are left
        faults = [each for each in faults if each.kind != "negation"]
    if (thing := unmentioned(text)) is not None:
        return ClaimCheck((*true_faults(_mentioned(thing, text, evidence.lines, faults), evidence.lines, text),))
    told = (*true_faults(dict.fromkeys(faults), evidence.lines, text),)
    return ClaimCheck(told, "; ".join(statement.sums), translated=evidence.foreign)


def _contradictions(statement: ClaimText, evidence: CitedEvidence) -> tuple[ClaimFault, ...]:
    """Return the first fault of each kind that the sentence most like a claim shows, if it is like enough."""
    excepted = claim_clauses.only_excepted(statement.text, evidence.prose)
    if excepted or likeness(statement.words, evidence.nearest) < MIN_LIKE:
        return ()
    found = [fault for check in SENTENCE_CHECKS for fault in _named(check, check(statement, evidence))]
    return tuple({fault.kind: fault for fault in reversed(found)}.values())


def _first(checks: Iterable[Check], statement: ClaimText, evidence: CitedEvidence) -> tuple[ClaimFault, ...]:
    """Return the faults of the first check that finds any."""
    for check in checks:
        found = (*check(statement, evidence),)
        if found:
            return (*_named(check, found),)
    return ()


def _named(check: Check, faults: Iterable[ClaimFault]) -> Iterator[ClaimFault]:
    name = getattr(check, "__name__", "")
    yield from (replace(fault, check=name) for fault in faults)


def _sums(statement: ClaimText, evidence: CitedEvidence, missing: Sequence[str], near: str) -> Mapping[str, str | None]:
    """Return the sum that gives each figure that the lines lack, None where there is none."""
    claim = statement.text
    sums = {
        figure: None
        if len(missing) > MAX_RECOMPUTED or _is_replaced(figure, claim, evidence.nearest)
        else recompute(figure, evidence.read, claim, near, evidence.nearest)
        or difference_of_owners(figure, claim, evidence.prose)
        for figure in missing
    }
    sums = {
        figure: None if each and is_misplaced(each, claim, evidence.read) else each for figure, each in sums.items()
    }
    return sums | dict(_counted(sums, claim))


def _addresses_not_in(claim: str, text: str) -> Iterator[str]:
    """Yield the mail and web addresses of a claim that a text does not have."""
    yield from (each for each in _ADDRESS.findall(claim) if each.casefold() not in text.casefold())


def _mentioned(thing: str, claim: str, lines: str, faults: Sequence[ClaimFault]) -> tuple[ClaimFault, ...]:
    """Return the faults of a claim that its lines do not mention a thing: one if they do, and deny nothing."""
    words = [word for word in split_words(thing) if is_content(word)]
    if not words or not all(word.stem in stems_of(lines) for word in words):
        return ()
    if any(map(is_negation, split_words(lines))):
        return tuple(faults)
    negation = next((word.text for word in split_words(claim) if is_negation(word)), claim)
    return (ClaimFault("negation", negation, thing),)


def _operands_quoted(quoted: Sequence[str]) -> str:
    """Return the quotations of a claim; empty if they have enough figures for a wrong sum to fit by chance."""
    text = " ".join(quoted)
    return text if len(read_figures(text).figures) <= MAX_QUOTED_FIGURES else ""


def _shares_wording(statement: ClaimText, evidence: CitedEvidence) -> bool:
    """Return whether lines, headings and paragraph have the subject of a claim: a paraphrase shares few words.

    It is enough that several figures agree, or one of a claim with hardly any other word.
    """
    figures = read_figures(statement.text).figures
    told = [word for word in statement.words if is_content(word) and word.fold.isalpha()]
    told = [word for word in told if word.fold not in RISES | FALLS | ORDERS]
    told = [word for word in told if not any(each.start <= word.start < each.end for each in figures)]
    sure = sum(bool(each.digits and each.values) and not each.is_year for each in figures) >= SURE_FIGURES
    refers = any(word.fold in PRONOUNS for word in statement.words)
    few = FEWEST_WORDS if statement.language == claim_alterations.ENGLISH or not figures else FEW_WORDS
    if evidence.lines.strip() and (sure or len(told) < few or (figures and refers)):
        return True
    shared = {word.stem for word in told} & evidence.nearby.stems
    if any(map(is_negation, evidence.nearby.words)):  # “unheated” over “no heating”
        shared |= {
            word.stem for word in told if word.fold[:2] == "un" and base_stem(word.fold[2:]) in evidence.nearby.stems
        }
    if statement.language != claim_alterations.ENGLISH:  # compounds: Asylrecht, das Recht auf Asyl
        folds = " ".join(evidence.nearby.folds)
        shared |= {word.stem for word in told if len(word.fold) > BEGINNING and word.fold[:BEGINNING] in folds}
    if is_dense(statement.text):
        return word_overlap(statement.text, evidence.known.text) >= MIN_SHARED
    return len(shared) >= MIN_SHARED * len(told)


def _counted(sums: Mapping[str, str | None], claim: str) -> Iterator[tuple[str, str]]:
    """Yield, with an empty sum, the counts of a sum's operands, “all four together”, and factors: “three months'”."""
    counts = {each.count(" + ") + 1 for each in sums.values() if each and " + " in each}
    factors = {int(each) for sum_ in sums.values() for each in _FACTOR.findall(sum_ or "")}
    for figure in (each for each in sums if sums[each] is None):
        values = [each.values[0] for each in read_figures(figure).figures if each.values and not each.digits[2:]]
        if values and (values[0] in factors or (values[0] in counts and _COUNTS.search(claim[: claim.find(figure)]))):
            yield figure, ""


def replaces_a_figure(figure: str, claim: str, sources: Sequence[CitedLines]) -> bool:
    """Return whether a figure of a claim replaces another one of a nearly equal sentence."""
    return any(_is_replaced(figure, claim, each) for each in most_alike(claim, sources))


def _is_replaced(figure: str, claim: str, sentence: str) -> bool:
    """Return whether a nearly equal sentence has another figure after the same words: it is altered, not computed."""
    if likeness(split_words(claim), sentence) < SAME_SENTENCE:
        return False
    words = [word.fold for word in split_words(claim[: max(claim.find(figure), 0)])][-SAME_WORDS:]
    folds = [word.fold for word in split_words(sentence)]
    after = [folds[at + SAME_WORDS] for at in range(len(folds) - SAME_WORDS) if folds[at : at + SAME_WORDS] == words]
    return len(words) == SAME_WORDS and any(each[:1].isdigit() for each in after)
