"""Writes the answer of the built-in model: quoted sentences with citations, or a not-found answer with the queries."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.quoted_rows import cells_of, labelled_row
from desktop_rag.agent.citations.references import REFERENCE
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.asked_things import (
    is_about_unread,
    is_mentioned,
    is_telling,
    is_told_of,
    nearest,
    nearest_across,
    shown,
    unquoted,
)
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.doubtful_quotations import apart, is_doubtful, without_answer
from desktop_rag.agent.extractive.quantities.compared_dates import is_date_comparison
from desktop_rag.agent.extractive.quantities.labelled_amounts import NOT_COMPARED
from desktop_rag.agent.extractive.quantities.quantity_question import STATED_AS, quantity_question
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_choice import ChosenSentences, Found, choose_sentences
from desktop_rag.agent.extractive.sentence_ranking import MAX_QUOTE, RankedSentence
from desktop_rag.agent.prompts import (
    APART,
    CLOSEST,
    CLOSEST_ACROSS,
    CLOSEST_PASSAGES,
    KNOWS_NOTHING,
    MORE_ROWS,
    NOT_FOUND_CHOSEN,
    NOT_FOUND_OPENING,
    NOT_FOUND_PART,
    NOT_FOUND_PART_CHOSEN,
    NOT_TOGETHER,
    SEARCHED_FOR,
    UNMENTIONED,
    UNQUOTED,
)
from desktop_rag.index.keywords.analysis import fold_text
from desktop_rag.text.dates import mentions

MAX_COLUMNS = 160  # characters of the header of a table before a row
MOST_UNMENTIONED = 3  # words of the questions that are named as missing

NOTE = "*Quoted word for word from your documents. No language model wrote this.*"
AS_STATED_NOTE = (
    "*Quoted word for word from your documents; nothing was calculated or compared. No language model wrote this.*"
)
RESULT_NOTE = (
    "*The quotations are word for word; the sentence above them follows from them. No language model wrote this.*"
)
NO_MODEL = "*No language model took part in this search.*"
# A stored answer is plain text: when it is replayed, the notes in it are recognised by their wording.
_LIST = r"“[^”\n]*”(?:, “[^”\n]*”)*"
_MISSING = (UNMENTIONED, UNQUOTED, APART, NOT_TOGETHER)  # in this order
_NOTES = re.compile(
    "|".join(re.escape(note) for note in (NOTE, AS_STATED_NOTE, RESULT_NOTE, NO_MODEL, KNOWS_NOTHING))
    + "".join(f"|{re.escape(each).replace(re.escape('{0}'), _LIST)}" for each in _MISSING)
    + f"|^(?:{re.escape(CLOSEST_PASSAGES)}|{re.escape(MORE_ROWS)})$"
    + "".join(
        rf"|^{re.escape(each).replace(re.escape('{0}'), '.*')}$" for each in (NOT_FOUND_PART, NOT_FOUND_PART_CHOSEN)
    ),
    re.MULTILINE,
)
# What Markdown would interpret in a quotation: emphasis, code, links, entities, and marks at the start of a line.
_MARKUP = re.compile(
    r"[*`\\]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|\[(?=[^\]]*\]\()|&(?=#?\w+;)|<(?=\S)|^[#>+-]|(?<=^\d)[.)]|(?<=^\d\d)[.)]"
)
_SYNTAX = re.compile(r"[\[\]()<>*`#|【】]|(?<![^\W_])_|_(?![^\W_])")
_FIGURE = re.compile(r"\d[\d.,]*")
_ITEM_MARK = re.compile(r"^\W+\s+")
_CELL = re.compile(r"\t+|\s\|\s")  # what stands between two cells
_BETWEEN = " · "  # cells
_REFERS = re.compile(r"\b(?:he|she|it|they|his|her|its|their|him|them)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ExtractiveAnswer:
    """Quotations as Markdown and the program's note on them; not `found` if no sentence answers the question.

    `missing` stands before the quotations: what the question asks about that they do not mention.
    """

    text: str = ""
    note: str = ""
    found: bool = False
    missing: str = ""

    @property
    def parts(self) -> tuple[tuple[str, bool], ...]:
        """Return what is missing, text and note in order, each with whether it is a note."""
        before = ((f"{self.missing}\n\n", True),) if self.missing else ()
        text = f"{self.text}\n\n" if self.text and self.note else self.text
        return (*before, *split_notes(text), (self.note, True))


def split_notes(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a stored answer, each with whether it is a note of the built-in model."""
    end = 0
    for note in _NOTES.finditer(text):
        yield text[end : note.start()], False
        yield note[0], True
        end = note.end()
    yield text[end:], False


def write_answer(
    found: Sequence[Found],
    searched: Sequence[str],
    calculated: Mapping[AnalysedQuestion, ChosenSentences],
    *,
    read: Sequence[Found] = (),
    only_chosen: bool = False,
) -> ExtractiveAnswer:
    """Answer each question by quotations in Markdown, or return a not-found answer.

    `read`: all that was read, if some of it may not be quoted.
    `only_chosen`: the user chose a part of the library, and nothing else was searched.
    """
    chosen = choose_sentences(found, calculated)
    unread = _unmentioned(read or found, calculated)
    untold = tuple(filter(is_told_of, unread))[:MOST_UNMENTIONED]
    alone = found[0][0] if len(found) == 1 and not calculated else None
    about_unread = alone is not None and is_about_unread(alone, unread[:MOST_UNMENTIONED])
    if about_unread or not any(each.sentences for each in chosen):
        near = max(filter(None, (nearest(*each) for each in found)), key=lambda one: one.score, default=None)
        across = None if near else nearest_across([one for _, ranked in found for one in ranked])
        return _not_found(searched, near or across, NOT_FOUND_CHOSEN if only_chosen else NOT_FOUND_OPENING)
    follows = any(each.sentences and each.lead_in and not _is_uncalculated(each) for each in chosen)
    note = RESULT_NOTE if follows else AS_STATED_NOTE if any(map(_is_uncalculated, chosen)) else NOTE
    missing = _missing(chosen, unread, untold)
    if follows and missing:  # what follows from the quotations is said first
        note, missing = f"{missing}\n\n{note}", ""
    part = NOT_FOUND_PART_CHOSEN if only_chosen else NOT_FOUND_PART
    return ExtractiveAnswer("\n\n".join(_paragraphs(chosen, part)), note, found=True, missing=missing)


def _is_uncalculated(chosen: ChosenSentences) -> bool:
    """Return whether amounts are quoted for a calculation or comparison that they do not state themselves."""
    asked = quantity_question(chosen.question)
    if chosen.lead_in or not chosen.sentences:
        return chosen.lead_in.startswith(NOT_COMPARED)
    if asked is None or not asked.of_all:
        return asked is not None or is_date_comparison(chosen.question.text)
    quoted = [one.candidate for one in chosen.sentences]
    if asked.operation in STATED_AS:
        return not any(STATED_AS[asked.operation] & (each.stems | each.place_words) for each in quoted)
    return any(each.shape is SentenceShape.ROW for each in quoted)


def _unmentioned(found: Sequence[Found], calculated: Mapping[AnalysedQuestion, ChosenSentences]) -> tuple[str, ...]:
    """Return the words of the questions that no sentence that was read has in any form, nor a related word."""
    missing: dict[str, None] = {}
    for question, ranked in found:
        read = frozenset[str]().union(*(one.candidate.stems | one.candidate.place_words for one in ranked))
        text = fold_text(" ".join(map(shown, ranked)))
        structured = calculated.get(question)
        certain = structured is not None and bool(structured.lead_in or (structured.stated and structured.linked))
        words = () if certain else filter(is_telling, question.words)
        dated = " ".join(_dated(question.text)) if structured and structured.stated else ""  # spelled otherwise there
        for word in (word for word in words if word not in dated):
            forms = stems(word)
            if ranked and forms and not is_mentioned(word, forms, read, text):
                missing[without_markup(word)] = None
    return tuple(missing)


def _dated(text: str) -> Iterator[str]:
    """Yield the dates in a text as they are written."""
    yield from (text[found.start : found.end] for found in mentions(text))


def _missing(chosen: Sequence[ChosenSentences], unread: Sequence[str], untold: Sequence[str]) -> str:
    """Return the notes on what the questions ask about that was not read, or stands in no quotation with an answer."""
    unsaid = _unquoted(chosen, unread)
    known = bool(unread or unsaid)
    scattered = () if known else _apart(apart, chosen)
    unanswered = () if known or scattered else _apart(without_answer, chosen)
    notes = [
        template.format(", ".join(f"“{word}”" for word in words))
        for template, words in zip(_MISSING, (untold, unsaid, scattered, unanswered), strict=True)
        if words
    ]
    if any(each.more for each in chosen):
        notes.append(MORE_ROWS)
    alone = chosen[0].question if len(chosen) == 1 and not chosen[0].lead_in else None
    if alone and (scattered or unanswered or is_doubtful(alone, chosen[0].sentences, untold, unsaid)):
        notes.append(CLOSEST_PASSAGES if len(chosen[0].sentences) > 1 else CLOSEST)
    return "\n\n".join(notes)


def _unquoted(chosen: Sequence[ChosenSentences], unmentioned: Sequence[str]) -> tuple[str, ...]:
    """Return what the questions ask about that was read, but stands nowhere in or around their quotations."""
    asked = (each for each in chosen if each.sentences and not (each.lead_in or each.stated))
    quoted = [one for each in chosen for one in each.sentences]  # also for the other questions: they are shown, too
    told = (word for each in asked for word in unquoted(each.question, quoted) if is_told_of(word))
    words = map(without_markup, told)
    return tuple(dict.fromkeys(word for word in words if word not in unmentioned))[:MOST_UNMENTIONED]


def _apart(
    lacking: Callable[[AnalysedQuestion, Sequence[RankedSentence]], Sequence[str]], chosen: Sequence[ChosenSentences]
) -> tuple[str, ...]:
    """Return the words of the only question that no quotation has together; sentences that lead on need not."""
    if len(chosen) > 1 or chosen[0].lead_in or chosen[0].linked or chosen[0].stated:
        return ()
    return tuple(map(without_markup, lacking(chosen[0].question, chosen[0].sentences)))[:MOST_UNMENTIONED]


def _paragraphs(chosen: Sequence[ChosenSentences], not_found: str) -> Iterator[str]:
    """Yield the lead-ins and deduplicated quotations, and the sentence `not_found` for each question without any."""
    quoted: list[CandidateSentence] = []
    texts: list[str] = []
    for each in chosen:
        if not each.sentences:
            yield not_found.format(without_markup(each.question.text))
        if each.lead_in:
            yield literal(each.lead_in)
        for found in each.sentences:
            known = any(_similar(found.candidate, other) for other in quoted) or any(
                found.candidate.text in text for text in texts
            )
            if each.of_each or not known:
                text, first, last = _quoted_text(found, quoted)
                yield _quotation(found.candidate, text, first, last)
                quoted.append(found.candidate)
                texts.append(text)


def _not_found(searched: Sequence[str], near: RankedSentence | None, opening: str) -> ExtractiveAnswer:
    """Return a not-found answer with the queries and the closest passage, if one is close."""
    text = f"[not found] {opening}"
    if searched:
        text += " " + SEARCHED_FOR.format(", ".join(f"“{query}”" for query in searched))
    if near:
        quotation = _quotation(near.candidate, *_quoted_text(near, ()))
        text += f"\n\n{CLOSEST_ACROSS if near.candidate.across else CLOSEST}\n\n{quotation}"
    return ExtractiveAnswer(text, NO_MODEL)


def _quoted_text(found: RankedSentence, quoted: Sequence[CandidateSentence]) -> tuple[str, int, int]:
    """Return a sentence with its lines: with the previous one if it refers back by "he", a question with its reply.

    No neighbour that is `quoted` is repeated.
    """
    candidate = found.candidate
    known = {other.text for other in quoted}
    if (before := found.quoted_before) and before not in known:
        return f"{before} {candidate.text}", candidate.before_line, candidate.last_line
    if (reply := found.quoted_after) and reply not in known:
        return f"{candidate.text} {reply}", candidate.first_line, candidate.after_line
    if candidate.items:
        return "\n".join((candidate.text, *candidate.items)), candidate.first_line, candidate.items_line
    row = candidate.text.strip("| ") or candidate.text  # a table row of Markdown
    return _truncated(row), candidate.first_line, candidate.last_line


def _quotation(candidate: CandidateSentence, text: str, first: int, last: int) -> str:
    """Quote a text from the lines of a candidate; the title comes first if a pronoun may mean it.

    What is broken off ends with “…”. Before a table row come the names or years of its columns: without them it says
    nothing.
    """
    text = REFERENCE.sub(
        lambda name: f"{name[0][:4]}\u2060{name[0][4:]}", text
    )  # a reference in the source must not become a citation
    title = f"{literal(candidate.title)}: " if _needs_title(candidate, text) else ""
    title += f"{literal(candidate.entry)}: " if candidate.entry and candidate.entry not in text else ""
    columns = candidate.columns if len(candidate.columns) <= MAX_COLUMNS else ""
    shown = text
    if _CELL.search(text) and candidate.shape is SentenceShape.ROW:
        shown = labelled_row(text, columns)
        columns = _BETWEEN.join(filter(None, cells_of(columns))) if shown == labelled_row(text) else ""
    if columns and _needs_columns(text, candidate.columns):
        title = f"{literal(columns.strip('| '))}: "
    whole = "\n".join((candidate.text, *candidate.items)).strip("| ")
    cut = " …" if len(text) < len(whole) or (candidate.cut and text.endswith(whole)) else ""
    first_shown, *items = shown.split("\n")
    shown = "\n> ".join((literal(first_shown), *(f"- {literal(_ITEM_MARK.sub('', item))}" for item in items)))
    return f"> {title}{shown}{cut} {write_citation(candidate.reference, first, last, text)}"


def _needs_columns(row: str, columns: str) -> bool:
    """Return whether a row has several figures, or a name above each of its cells."""
    cells = len(_CELL.findall(row))
    return len(_FIGURE.findall(row)) > 1 or 0 < cells <= len(_CELL.findall(columns.strip("| ")))


def _needs_title(candidate: CandidateSentence, text: str) -> bool:
    """Return whether a pronoun may mean the subject of the document, or a label is of a day: “Present: …”."""
    if candidate.is_label and any(day.day for found in mentions(candidate.title) for day in found.days):
        return not _dated_in(candidate)
    return bool(_REFERS.search(text)) and bool(candidate.title) and not set(stems(candidate.title)) & set(stems(text))


def _dated_in(candidate: CandidateSentence) -> bool:
    return bool(candidate.entry) or any(mentions(candidate.text))


def literal(text: str) -> str:
    """Escape what Markdown would interpret, so that a quotation is shown as it stands."""
    return _MARKUP.sub(r"\\\g<0>", text)


def _truncated(text: str) -> str:
    """Truncate a text to `MAX_QUOTE` characters, between words."""
    return text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE + 1].rpartition(" ")[0] or text[:MAX_QUOTE]


def _similar(one: CandidateSentence, other: CandidateSentence) -> bool:
    """Return whether two sentences share most of their words; rows of a table differ by one cell."""
    if SentenceShape.ROW in (one.shape, other.shape):
        return one.text == other.text
    shared = len(one.stems & other.stems)
    return shared >= 0.8 * max(1, min(len(one.stems), len(other.stems)))


def without_markup(text: str) -> str:
    """Replace characters that Markdown or citation syntax would interpret by spaces; `required_keys` has none."""
    return _SYNTAX.sub(" ", text)
