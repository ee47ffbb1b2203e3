"""Writes the answer of the built-in model: passages under their documents, or a not-found answer with the queries."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.quoted_rows import cells_of, labelled_row
from desktop_rag.agent.citations.references import REFERENCE
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.passage_choice import (
    ALL,
    ChosenPassage,
    ChosenPassages,
    Found,
    choose_passages,
    is_foreign,
    passage_of,
)
from desktop_rag.agent.extractive.question_analysis import COUNTED, AnalysedQuestion, AnswerType, values
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, certain
from desktop_rag.agent.prompts import (
    APART,
    CLOSEST,
    CLOSEST_ACROSS,
    CLOSEST_PASSAGES,
    KNOWS_NOTHING,
    MORE_ROWS,
    NEEDS_MODEL,
    NOT_FOUND_CHOSEN,
    NOT_FOUND_OPENING,
    NOT_FOUND_PART,
    NOT_FOUND_PART_CHOSEN,
    NOT_TOGETHER,
    ONLY_ONE_SIDE,
    SEARCHED_FOR,
    UNMENTIONED,
    UNQUOTED,
    UNSURE,
)
from desktop_rag.index.keywords.analysis import fold_text
from desktop_rag.llm.chat import document_label

CLOSE_ACROSS = 0.4  # of the score of a passage in another language and its lead over the third; see docs/encoders.md
LEADING = 3
MIN_PREFIX = 4  # letters that two forms of a word share
ENDING = 3  # letters at the end of a word in which its forms may differ
MAX_VALUE = 60  # characters behind a label
_LABELLED = re.compile(r"\W*(?P<label>[^\W\d_][\w .-]{1,30}?)(?::| =)\s+(?P<value>\S[^:=]*?)[.;,]?(?:\s{2,}.*)?")


def unread_words(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Iterator[str]:
    """Yield the names and codes of a question that no line, heading, title or file name that was read has in any form.

    A form begins like the word, stands inside of a compound, or is written in one word or with hyphens.
    """
    own = [one.candidate for one in ranked]
    text = fold_text(" ".join(f"{each.title} {each.file} {each.heading} {each.columns} {each.text}" for each in own))
    joined = "".join(filter(str.isalnum, text))
    held = frozenset[str]().union(*(each.stems | each.place_words for each in own))
    for word in dict.fromkeys((*question.codes, *(word for name in question.names for word in name.split()))):
        letters = "".join(filter(str.isalnum, fold_text(word)))
        if len(letters) < MIN_PREFIX and word not in question.codes:
            continue
        root = letters if word in question.codes else letters[: max(MIN_PREFIX, len(letters) - ENDING)]
        if ranked and (forms := stems(word)) and root not in joined and held.isdisjoint(forms):
            yield word


def nearest(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> RankedSentence | None:
    """Return the best sentence if it has half of the question's words in and around it."""
    told = (one for one in ranked if one.own and one.candidate.shape is not SentenceShape.HEADING)
    best = next((one for one in told if not is_foreign(question, one.candidate)), None)
    held = best.candidate.around | best.candidate.place_words if best else frozenset[str]()
    return best if 2 * len(held.intersection(question.stems)) >= len(question.stems) else None


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


def stated_value(question: AnalysedQuestion, sentences: Sequence[RankedSentence]) -> str:
    """Return the value that the first sentence states, as it is written; "" if it, or another sentence, has others."""
    best, *others = sentences
    labelled = _LABELLED.fullmatch(best.candidate.text)
    if labelled and any(code.lower() in labelled["label"].lower().split() for code in question.codes):
        return labelled["value"]
    if best.covered < ALL:
        return ""
    if best.candidate.shape is SentenceShape.ROW:
        return _cell(question, best.candidate)
    own = _value(question, best)
    return own if all(_value(question, one) in ("", own) for one in others if one.own >= best.own) else ""


def _value(question: AnalysedQuestion, one: RankedSentence) -> str:
    asked, labelled = frozenset(question.stems), _LABELLED.fullmatch(one.candidate.text)
    if labelled and len(labelled["value"]) <= MAX_VALUE and asked & frozenset(stems(labelled["label"])):
        return "" if asked & frozenset(stems(labelled["value"])) else labelled["value"]  # known before
    if question.asks not in COUNTED or question.asks is AnswerType.YEAR or one.own < ALL:
        return ""
    found = values(question.asks, one.candidate.text, question.text)
    return found[0] if len(found) == 1 else ""


def _cell(question: AnalysedQuestion, row: CandidateSentence) -> str:
    """Return the cell under the only column that has most of the question's words, but those whose cells have some."""
    cells, names, asked = cells_of(row.text), cells_of(row.columns), frozenset(question.stems)
    known = (bool(asked.intersection(stems(cell))) for cell in cells)
    shared = [0 if told else len(asked.intersection(stems(name))) for name, told in zip(names, known, strict=False)]
    most = max(shared, default=0)
    return cells[shared.index(most)] if most and shared.count(most) == 1 and len(cells) == len(names) else ""


MAX_DOCUMENTS, MAX_HEADINGS = 5, 6  # of an outline, and of each document in it

NOTE = "*Quoted from your documents. No language model wrote this.*"
RESULT_NOTE = "*Quoted from your documents; the line on top follows from the quotations. No language model wrote this.*"
NO_MODEL = "*No language model took part in this search.*"
_FORMER_NOTES = (  # of stored answers
    "*Quoted word for word from your documents. No language model wrote this.*",
    "*Quoted word for word from your documents; nothing was calculated or compared. No language model wrote this.*",
    "*The quotations are word for word; the sentence above them follows from them. No language model wrote this.*",
)
# A stored answer is plain text: when it is replayed, the notes in it are recognised by their wording.
_LIST = r"“[^”\n]*”(?:, “[^”\n]*”)*"
_NOTES = re.compile(
    "|".join(re.escape(note) for note in (NOTE, RESULT_NOTE, NO_MODEL, KNOWS_NOTHING, *_FORMER_NOTES))
    + "".join(
        f"|{re.escape(each).replace(re.escape('{0}'), _LIST)}" for each in (UNMENTIONED, UNQUOTED, APART, NOT_TOGETHER)
    )
    + rf"|{re.escape(SEARCHED_FOR).replace(re.escape('{0}'), _LIST)}"
    + f"|^(?:{'|'.join(map(re.escape, (UNSURE, NEEDS_MODEL, CLOSEST_PASSAGES, MORE_ROWS)))})$"
    + "".join(
        rf"|^{re.escape(each).replace(re.escape('{0}'), '.*')}$"
        for each in (NOT_FOUND_PART, NOT_FOUND_PART_CHOSEN, ONLY_ONE_SIDE)
    ),
    re.MULTILINE,
)
# What Markdown would interpret in a quotation: emphasis, code, links, entities, and marks at the start of a line.
_MARKUP = re.compile(
    r"[*`\\]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|\[(?=[^\]]*\]\()|&(?=#?\w+;)|<(?=\S)|^[#>+-]|(?<=^\d)[.)]|(?<=^\d\d)[.)]"
)
_SYNTAX = re.compile(r"[\[\]()<>*`#|【】]|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True, slots=True)
class ExtractiveAnswer:
    """Quotations as Markdown and the program's note on them; not `found` if no sentence answers the question.

    `before` stands above the quotations: that they may not answer, what nothing that was read mentions.
    """

    text: str = ""
    note: str = ""
    found: bool = False
    before: str = ""

    @property
    def parts(self) -> tuple[tuple[str, bool], ...]:
        """Return what stands before, text and note in order, each with whether it is a note."""
        before = ((f"{self.before}\n\n", True),) if self.before else ()
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
    *,
    only_chosen: bool = False,
) -> ExtractiveAnswer:
    """Answer each question by quotations in Markdown, or return a not-found answer.

    `only_chosen`: the user chose a part of the library, and nothing else was searched.
    """
    chosen = choose_passages(found)
    unread = dict.fromkeys(word for asked, ranked in found for word in unread_words(asked, ranked))
    unmentioned = UNMENTIONED.format(", ".join(f"“{without_markup(word)}”" for word in unread)) if unread else ""
    if not any(each.passages for each in chosen):
        near = max(filter(None, (nearest(*each) for each in found)), key=lambda one: one.score, default=None)
        across = None if near else nearest_across([one for _, ranked in found for one in ranked])
        opening = NOT_FOUND_CHOSEN if only_chosen else NOT_FOUND_OPENING
        closest = near or across
        return _not_found(opening, searched, unmentioned, passage_of(closest, ()) if closest else None)
    answered = [each for each in chosen if each.passages]
    notes = [unmentioned] if unmentioned else []
    if not all(each.sure for each in answered):
        notes.append(UNSURE)
    part = NOT_FOUND_PART_CHOSEN if only_chosen else NOT_FOUND_PART
    follows = any(each.lead_in for each in answered)
    text = "\n\n".join(_paragraphs(chosen, part))
    return ExtractiveAnswer(text, RESULT_NOTE if follows else NOTE, found=True, before="\n\n".join(notes))


def write_outline(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> ExtractiveAnswer:
    """Say that a request needs a language model, with the headings of the documents that were found for it."""
    documents: dict[tuple[str, str], list[CandidateSentence]] = {}
    for one in read:
        documents.setdefault((one.file, one.title), []).append(one)
    named = {name: len(own[0].document_words.intersection(question.stems)) for name, own in documents.items()}
    meant = [own for name, own in documents.items() if named[name] == max(named.values())]
    chosen: list[CandidateSentence] = []
    for own in meant[:MAX_DOCUMENTS]:
        told = sorted((one for one in own if one.text not in one.title), key=lambda one: one.first_line)
        headings = [one for one in told if one.shape is SentenceShape.HEADING]
        chosen += headings[:MAX_HEADINGS] or told[:1]
    shown = tuple(passage_of(certain(replace(one, heading="")), ()) for one in chosen)
    outline = _paragraphs([ChosenPassages(question, shown, of_each=True)], "") if shown else ()
    return ExtractiveAnswer("\n\n".join((f"[not found] {NEEDS_MODEL}", *outline)), NO_MODEL)


def _paragraphs(chosen: Sequence[ChosenPassages], not_found: str) -> Iterator[str]:
    """Yield the lines on top, headings and quotations, and the sentence `not_found` for each question without any."""
    shown: list[ChosenPassage] = []
    heading = ""
    for each in chosen:
        if not each.passages:
            if each.question.leans and any(other.passages for other in chosen):  # “… and how do I fix it?”
                continue
            yield not_found.format(without_markup(each.question.text))
            continue
        sentences = [one.sentence for one in each.passages]
        value = stated_value(each.question, sentences) if each.sure and not each.lead_in else ""
        if value:
            yield f"**{_inline(value)}** {_citation(each.passages[0])}"
        if each.lead_in:
            yield literal(each.lead_in)
        for name in each.alone_of:
            yield ONLY_ONE_SIDE.format(without_markup(name))
        for number, passage in enumerate(each.passages):
            own = passage.sentence.candidate
            if not each.of_each and any(own.text in other.text for other in shown):
                continue
            shown.append(passage)
            if (above := _heading(own)) != heading:
                heading = above
                yield f"#### {heading}"
            yield _quotation(passage, "" if number else value)


def _not_found(opening: str, searched: Sequence[str], unmentioned: str, near: ChosenPassage | None) -> ExtractiveAnswer:
    """Return a not-found answer with the queries, what nothing mentions, and the closest passage, if one is close."""
    text = f"[not found] {opening}"
    if searched:
        text += " " + SEARCHED_FOR.format(", ".join(f"“{query}”" for query in searched))
    text += f" {unmentioned}" if unmentioned else ""
    if near:
        own = near.sentence.candidate
        closest = CLOSEST_ACROSS if own.across else CLOSEST
        text += f"\n\n{closest}\n\n#### {_heading(own)}\n\n{_quotation(near)}"
    return ExtractiveAnswer(text, NO_MODEL)


def _heading(candidate: CandidateSentence) -> str:
    """Return the names of the document and the section that a sentence stands in; a mail has none, nor has a label."""
    name = document_label(candidate.file, candidate.title)
    section = " ".join(without_markup(candidate.heading).split())
    doubtful = ":" in section or candidate.file.lower().endswith((".eml", ".msg"))
    known = not section or doubtful or section.lower() in name.lower() or name.lower() in section.lower()
    return " ".join(without_markup(name).split()) + ("" if known else f" › {section}")


def _quotation(passage: ChosenPassage, value: str = "") -> str:
    """Quote a passage with its citation, the `value` that answers in bold; what is broken off ends with “…”.

    A row has the names of its columns if there is one for each of its cells.
    """
    shown, candidate = passage.text, passage.sentence.candidate
    if candidate.shape is SentenceShape.ROW:
        columns = candidate.columns if len(cells_of(candidate.columns)) == len(cells_of(passage.text)) else ""
        shown = labelled_row(passage.text, columns)
    whole = candidate.text.strip("| ")
    cut = " …" if len(passage.text) < len(whole) or (candidate.cut and passage.text.endswith(whole)) else ""
    return f"> {_marked(shown.strip(), value)}{cut} {_citation(passage)}"


def _citation(passage: ChosenPassage) -> str:
    # A reference in the source must not become a citation.
    quoted = REFERENCE.sub(lambda name: f"{name[0][:4]}\u2060{name[0][4:]}", passage.text)
    return write_citation(passage.sentence.candidate.reference, passage.first, passage.last, quoted)


def _marked(text: str, value: str) -> str:
    text = REFERENCE.sub(lambda name: f"{name[0][:4]}\u2060{name[0][4:]}", text)
    before, found, after = text.partition(value) if value else (text, "", "")
    return f"{literal(before)}**{_inline(found)}**{_inline(after)}" if found else literal(text)


def _inline(text: str) -> str:
    """Escape what Markdown would interpret inside of a line."""
    return literal(f"x{text}")[1:]


def literal(text: str) -> str:
    """Escape what Markdown would interpret, so that a quotation is shown as it stands."""
    return _MARKUP.sub(r"\\\g<0>", text)


def without_markup(text: str) -> str:
    """Replace characters that Markdown or citation syntax would interpret by spaces; `required_keys` has none."""
    return _SYNTAX.sub(" ", text)
