"""The cells of one document that stand there for certain: behind their label, in a table, or in the one sentence on it.

A cell stays empty unless the document has all words of its question in one place and says one thing there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.quoted_rows import cells_of, is_row
from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, sentences
from desktop_rag.agent.extractive.built_in_model import AskedCell, StatedCell
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.llm.chat import Evidence
from desktop_rag.stop import Stop
from desktop_rag.text.dates import mentions
from desktop_rag.text.figures import read_figures

LONGEST = 300  # characters of a value
_NUMBERING = " #*_|.()§0123456789"
_LABEL = re.compile(r"[\W_]*(?P<label>[^\W_][^:=\t|]{0,60}?)\W*?(?:: | = |:$|\.{4,}|\s{4,})\s*(?P<value>.*)")
_EMPHASIS = re.compile(r"\*\*|__|`")
_EMPTY = frozenset(("", "-", "–", "—", "n/a", "…", "___"))
_NOTHING = StatedCell()


def stated_cells(asked: Sequence[AskedCell], document: Sequence[Evidence], stop: Stop) -> list[StatedCell]:
    """Return a cell for each question, from the lines of one document."""
    lines = {number: text for part in document for number, text in enumerate(part.lines, part.first_line)}
    labels = tuple(_labels(lines))
    found = sentences(lines)
    cells: list[StatedCell] = []
    for each in asked:
        stop.check()
        cells.append(_stated(each, labels, found))
    return cells


def common_labels(documents: Sequence[Sequence[Evidence]], stop: Stop) -> list[tuple[str, int]]:
    """Return labels and headings with the number of documents that have them, the most common first."""
    counted: dict[frozenset[str], list[str]] = {}
    for document in documents:
        stop.check()
        lines = {number: text for part in document for number, text in enumerate(part.lines, part.first_line)}
        headings = (
            each.text for each in sentences(lines) if each.shape is SentenceShape.HEADING and "\t" not in each.text
        )
        own: dict[frozenset[str], str] = {}
        for each in (*(each.label for each in _labels(lines)), *headings):
            label = each.lstrip(_NUMBERING)  # of a heading: “3. Rent”
            if (words := frozenset(stems(label))) and len(words) <= 4 and not any(map(str.isdigit, label)):
                own.setdefault(words, " ".join(label.strip(" #*_:|.").split()))
        for words, label in own.items():
            counted.setdefault(words, []).append(label)
    ordered = sorted(counted.values(), key=lambda labels: -len(labels))
    return [(max(labels, key=labels.count), len(labels)) for labels in ordered]


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A value behind its label, on one line."""

    label: str
    value: str
    line: int


def _labels(lines: Mapping[int, str]) -> Iterator[_Labelled]:
    for number, line in lines.items():
        text = _EMPHASIS.sub("", line)
        if is_row(text):
            yield from _labels_of_row(lines, number, cells_of(text))
        elif (found := _LABEL.match(text)) and len(found["label"].split()) <= 6:
            value, below = found["value"].strip(), lines.get(number + 1, "")
            if value:
                yield _Labelled(found["label"].strip(), value, number)
            elif below.strip() and not _LABEL.match(below):
                yield _Labelled(found["label"].strip(), below.strip(), number + 1)


def _labels_of_row(lines: Mapping[int, str], number: int, cells: Sequence[str]) -> Iterator[_Labelled]:
    """Yield the labels of a row of two cells, or of the only row below the names of columns."""
    if len(cells) == 2:
        yield _Labelled(cells[0].rstrip(":"), cells[1], number)
        return
    rule = not "".join(cells).strip("-: ")
    above = number - (2 if not "".join(cells_of(lines.get(number - 1, ""))).strip("-: |") else 1)
    names = cells_of(lines.get(above, ""))
    alone = not is_row(lines.get(above - 1, "")) and not is_row(lines.get(number + 1, ""))
    if not rule and alone and len(names) == len(cells) > 2 and not any(map(str.isdigit, "".join(names))):
        yield from (_Labelled(name, cell, number) for name, cell in zip(names, cells, strict=True) if name)


def _stated(asked: AskedCell, labels: Sequence[_Labelled], found: Sequence[SourceSentence]) -> StatedCell:
    wanted = frozenset(stems(asked.name))
    if not wanted:
        return _NOTHING
    cells = _by_label(asked, wanted, labels) or _by_sentence(asked, wanted, found)
    return cells[0] if len({_folded(cell.value) for cell in cells}) == 1 else _NOTHING


def _by_label(asked: AskedCell, wanted: frozenset[str], labels: Sequence[_Labelled]) -> list[StatedCell]:
    """Return the values behind a label of the same words."""
    same = (each for each in labels if frozenset(stems(each.label)) == wanted)
    valued = ((each, _value(asked, each.value, labelled=True)) for each in same)
    return [StatedCell(value, each.value[:LONGEST], each.line, each.line) for each, value in valued if value]


def _by_sentence(asked: AskedCell, wanted: frozenset[str], found: Sequence[SourceSentence]) -> list[StatedCell]:
    """Return the values of the sentences that have all words of the question, beside something else.

    A date or an amount stands next to these words: what is between may say of what else it is. Another label, too.
    """
    cells: list[StatedCell] = []
    for each in found:
        label = _LABEL.match(each.text)
        if each.shape is not SentenceShape.PROSE or each.text.rstrip().endswith(("?", ":")):
            continue
        if label and frozenset(stems(label["label"])) != wanted:
            continue
        value = _value(asked, each.text) if wanted < frozenset(stems(each.text)) else ""
        if value and (asked.kind not in ("date", "amount") or _is_next(value, wanted, each.text)):
            cells.append(StatedCell(value, each.text[:LONGEST], each.first_line, each.last_line))
    return cells


def _is_next(value: str, wanted: frozenset[str], text: str) -> bool:
    """Return whether no content word stands between a value and the nearest word of the question."""
    before, _, after = text.partition(value)
    return _last_stem(before) in wanted or _first_stem(after) in wanted


def _last_stem(text: str) -> str:
    return next((found[-1] for word in reversed(text.split()) if (found := stems(word))), "")


def _first_stem(text: str) -> str:
    return next((found[0] for word in text.split() if (found := stems(word))), "")


def _value(asked: AskedCell, text: str, *, labelled: bool = False) -> str:
    """Return the value of the kind that a text states, "" if it states none or several."""
    text = text.strip()
    if text.casefold() in _EMPTY:
        return ""
    match asked.kind:
        case "date":
            dates = [text[each.start : each.end] for each in mentions(text) if each.days and each.days[0].year]
            return dates[0] if len(dates) == 1 else ""
        case "amount":
            return _amount(text, labelled=labelled)
        case "yes/no":
            return text if labelled and len(text) <= 6 else ""
        case "one of":
            there = [option for option in asked.options if _has(text, option)]
            longest = max(there, key=len, default="")
            return longest if all(_has(longest, each) for each in there) else ""
        case _:
            return text if len(text) <= LONGEST else ""


def _amount(text: str, *, labelled: bool) -> str:
    read = read_figures(text)
    figures = [each for each in read.figures if each.values and not (each.when or each.name or each.period)]
    measured = [each for each in figures if each.units]
    apart = [
        each
        for each in measured
        if not any(other.start <= each.start < other.end for other in measured if other is not each)
    ]
    if len(apart) == 1:
        return apart[0].text
    if not measured and labelled and len(figures) == 1 and not figures[0].part:
        return figures[0].text
    return ""


def _has(text: str, words: str) -> bool:
    return bool(wanted := frozenset(stems(words))) and wanted <= frozenset(stems(text))


def _folded(value: str) -> str:
    return " ".join(value.casefold().split()).strip(" .,;")
