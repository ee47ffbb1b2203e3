"""Two runs side by side: their figures, the queries and documents of only one or both, and both answers."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePath

from PySide6.QtCore import QDateTime, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QWidget,
)

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.run.run_comparison import RunComparison, RunFacts, SharedItems, compare_runs
from desktop_rag.gui import formatting
from desktop_rag.gui.answer_methods import method_name
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownTable, plain_text
from desktop_rag.gui.conversation.answer.parsing import TURN, final_blocks, shown_rows, weight
from desktop_rag.gui.theme.theme import GRID, current_colors, set_margins
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import PlaceSwitch, close_button
from desktop_rag.gui.widgets.layouts import DIALOG, in_column
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.hidden_characters import visible
from desktop_rag.text.readable_math import readable_math

# The answers of two runs side by side: parsed part by part, and long ones shown page by page.

PAGE = 3_000  # characters of an answer, the end of a line counted as `_LINE`: a label lays them out in one turn
_LINE = 30
_LONGEST = PAGE // 2  # characters of a sentence; longer ones are cut
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")
_BEFORE_MARK = re.compile(r" +(?=[.,;:!?](?:\s|$))")
_NONE = "–"  # on this page
_CITED = re.compile(r"\s?\[\d+\]")


class ComparedAnswers(QObject):
    """A label for each of two answers, in which the sentences of only one of them are marked."""

    def __init__(self, answers: tuple[str, str], parent: QWidget, reasons: tuple[str, str] = ("", "")) -> None:
        """`reasons` are shown where there is no answer: why."""
        super().__init__(parent)
        self._reasons = reasons
        self.labels = (_answer_label(parent), _answer_label(parent))
        names = self.tr("Parts of long answers"), self.tr("Previous part"), self.tr("Next part")
        self.switch = PlaceSwitch(*names, parent)
        self.switch.stepped.connect(self._on_stepped)
        self._shown = 0  # number of the page
        self._sides = (_Sentences(), _Sentences())
        self._parts = chain(*(side.read(text) for side, text in zip(self._sides, answers, strict=True)))
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._on_turn)
        if all(weight(text, TURN) < TURN for text in answers):
            for _ in self._parts:
                pass
            self._show()
        else:
            self.labels[0].setText(self.tr("Comparing the answers …"))
            self._turns.start()

    @property
    def is_ready(self) -> bool:
        """Return whether both answers are compared."""
        return not self._turns.isActive()

    @Slot()
    def _on_turn(self) -> None:
        if next(self._parts, None) is None:
            self._turns.stop()
            self._show()

    @Slot(int)
    def _on_stepped(self, step: int) -> None:
        self._shown += step
        self._show()

    def _show(self) -> None:
        count = max(len(side.pages) for side in self._sides)
        others_of = reversed(self._sides)
        for label, mine, others, reason in zip(self.labels, self._sides, others_of, self._reasons, strict=True):
            if not mine.pages:
                label.setText(html.escape(reason) or _NONE)
                label.setAccessibleName(self.tr("Answer: {0}").format(reason))
                continue
            page = mine.pages[self._shown] if self._shown < len(mine.pages) else ()
            alone = [sentence for sentence in page if _key(sentence) not in others.keys]
            label.setText(_marked(page, {_key(sentence) for sentence in alone}))
            label.setAccessibleName(self.tr("Answer: {0}").format(_spoken(page)))
            label.setAccessibleDescription(self.tr("Only here: {0}").format(_spoken(alone)) if alone else "")
        place = {"place": self._shown + 1, "count": count}
        self.switch.show_place(self._shown + 1, count, self.tr("Part {place} of {count}").format(**place))


class _Sentences:
    """The sentences of an answer without markup and citations, each line with its end, in pages."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.pages: list[list[str]] = []
        self._left = 0  # on the last page

    def read(self, markdown: str) -> Iterator[bool]:
        """Read an answer, a bounded part in each step."""
        for blocks in final_blocks(markdown.replace("\r", "")):
            for sentence in chain(*map(_sentences, blocks)):
                self._add(sentence)
            yield True

    def _add(self, sentence: str) -> None:
        for start in range(0, len(sentence), _LONGEST):
            part = sentence[start : start + _LONGEST]
            size = len(part.encode("utf-16-le")) // 2 + (_LINE if part.endswith("\n") else 0)  # emoji take longer
            if size > self._left:
                self.pages.append([])
                self._left = PAGE
            self._left -= size
            self.pages[-1].append(part)
            self.keys.add(_key(part))


def _answer_label(parent: QWidget) -> QLabel:
    label = PlainLabel("", "", parent)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _sentences(block: Block) -> Iterator[str]:
    if isinstance(block, MarkdownTable):
        block = replace(block, rows=shown_rows(block))
    for line in visible(plain_text([block], readable_math)).splitlines():
        cells = _BEFORE_MARK.sub("", _CITED.sub("", line)).replace("\t", " · ").strip()
        sentences = [each for each in _SENTENCE_END.split(cells) if each]
        yield from (f"{each} " for each in sentences[:-1])
        yield from (f"{last}\n" for last in sentences[-1:])


def _spoken(sentences: Sequence[str]) -> str:
    return " ".join("".join(sentences).split())


def _key(sentence: str) -> str:
    return " ".join(sentence.casefold().split())


def _marked(sentences: Sequence[str], only: set[str]) -> str:
    colors = current_colors()
    tint = f"background-color: {colors.warning_soft}; color: {colors.text};"
    shown = ""
    for sentence in sentences:
        words = html.escape(sentence.rstrip())
        shown += f'<span style="{tint}">{words}</span>' if _key(sentence) in only else words
        shown += {"\n": "<br>", " ": " "}.get(sentence[-1], "")
    return shown.removesuffix("<br>") or _NONE


_SIZE = (860, 620)
_MOST_ITEMS = 12  # of a list


@dataclass(frozen=True, slots=True)
class ComparableRun:
    """A run to compare with; `now`: it was replayed just now."""

    turn: Turn
    now: bool = False


class ComparisonDialog(BoundedDialog):
    """Shows a run beside another one that you choose."""

    def __init__(self, turn: Turn, candidates: Sequence[ComparableRun], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare runs"))
        self.resize(*_SIZE)
        self._turn = turn
        self._choice = QComboBox(self)
        self._choice.setAccessibleName(self.tr("Run to compare with"))
        for candidate in candidates:
            self._choice.addItem(self._title(candidate), candidate)
        self._choice.setVisible(len(candidates) > 1)
        self._table = QScrollArea(self)
        self._table.setWidgetResizable(True)
        self._table.setFrameShape(QFrame.Shape.NoFrame)
        self._table.setAccessibleName(self.windowTitle())
        in_column(
            PlainLabel(_question(turn), "heading", self),
            self._choice,
            (self._table, 1),
            (close_button(self, self.tr("Close")), Qt.AlignmentFlag.AlignRight),
            on=self,
            margins=DIALOG,
        )
        self._choice.currentIndexChanged.connect(self._show)
        self._show()

    def _title(self, candidate: ComparableRun) -> str:
        if candidate.now:
            return self.tr("The same searches, now")
        return f"{_question(candidate.turn)} · {_asked(candidate.turn)}"

    @Slot()
    def _show(self) -> None:
        candidate = self._choice.currentData()
        if not isinstance(candidate, ComparableRun):
            return
        compared = compare_runs(self._turn, candidate.turn)
        turns = (self._turn, candidate.turn)
        self._table.setWidget(_Sheet(compared, turns, now=candidate.now, parent=self))


def _question(turn: Turn) -> str:
    return shorten(one_line(turn.question), PAGE)


def _asked(turn: Turn) -> str:
    moment = QDateTime.fromMSecsSinceEpoch(turn.asked_ns // 1_000_000)
    return formatting.shown_moment(moment)


class _Sheet(QWidget):
    """The rows of a comparison: a name, the left run, the right run."""

    def __init__(
        self, compared: RunComparison, turns: tuple[Turn, Turn], *, now: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        set_margins(self._grid, 0, GRID, GRID, GRID)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnMinimumWidth(0, 10 * GRID)  # wrapped labels request no width
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        left, right = compared.left, compared.right
        self._add("", self.tr("Then"), self.tr("Now"), "heading") if now else self._add_runs(left, right)
        if not now:
            self._add(self.tr("Asked"), *map(_asked, turns))
        before, after = map(_question, turns)
        if before != after:
            self._add(self.tr("Question"), before, after)
        self._add(self.tr("Outcome"), self._outcome(left), self._outcome(right))
        reasons = self._no_answer(left), self.tr("Only the searches were repeated") if now else self._no_answer(right)
        self._add_answers(ComparedAnswers((left.text, right.text), self, reasons))
        self._add(self.tr("Cost"), self._work(left), self._work(right))
        self._add_shared(self.tr("Searched"), compared.queries, tuple)
        self._add_shared(self.tr("Documents"), compared.documents, _names)
        self._add_shared(self.tr("Cited"), compared.cited, _names)
        self._grid.setRowStretch(self._grid.rowCount(), 1)

    def _add_runs(self, left: RunFacts, right: RunFacts) -> None:
        shown = (f"{one_line(run.model)} · {method_name(run.toolkit)}" for run in (left, right))
        here, there = (self.tr("{0} of 2 · {1}").format(place, text) for place, text in enumerate(shown, 1))
        self._add("", here, there, "heading")

    def _add(self, name: str, left: str, right: str, role: str = "") -> None:
        row = self._grid.rowCount()
        for column, (text, kind) in enumerate(((name, "muted"), (left, role), (right, role))):
            if not (column or text):
                continue  # a screen reader would announce the empty label
            label = PlainLabel(text or ("–" if column else ""), kind, self)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            if column:
                label.setAccessibleName(f"{name}: {text}")
            self._grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)

    def _add_answers(self, answers: ComparedAnswers) -> None:
        row = self._grid.rowCount()
        for column, part in enumerate((PlainLabel(self.tr("Answer"), "muted", self), *answers.labels)):
            self._grid.addWidget(part, row, column, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(answers.switch, row + 1, 1, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def _add_shared(
        self, name: str, shared: SharedItems, format_items: Callable[[Sequence[str]], Sequence[str]]
    ) -> None:
        both = self._listed(self.tr("Both"), format_items(shared.both))
        sides = [self._listed(self.tr("Only here"), format_items(side)) for side in (shared.left, shared.right)]
        here, there = ("\n".join(filter(None, (side, both))) for side in sides)
        self._add(name, here, there)

    def _listed(self, title: str, items: Sequence[str]) -> str:
        if not items:
            return ""
        rest = self.tr("and %Ln more", "", len(items) - _MOST_ITEMS) if len(items) > _MOST_ITEMS else ""
        shown = (f"• {one_line(item)}" for item in items[:_MOST_ITEMS])
        return "\n".join((f"{title} ({len(items)}):", *shown, *([rest] if rest else [])))

    def _outcome(self, run: RunFacts) -> str:
        outcome = {
            "answered": self.tr("Answered"),
            "not found": self.tr("Not found"),
            "stopped": self.tr("Stopped"),
            "failed": self.tr("Failed"),
        }.get(run.outcome, self.tr("Unfinished"))
        return " · ".join(filter(None, (outcome, formatting.claims(run.claims))))

    def _no_answer(self, run: RunFacts) -> str:
        """Return why a run has no answer."""
        if run.outcome == "stopped":
            return self.tr("Stopped before an answer was written")
        return self.tr("Failed before an answer was written") if run.outcome == "failed" else self.tr("No answer yet")

    def _work(self, run: RunFacts) -> str:
        parts = [formatting.steps(run.steps), formatting.duration(run.seconds)]
        parts += [formatting.tokens(run.tokens, estimated=run.estimated)] if run.uses_model else []
        return " · ".join((*parts, *([formatting.money(run.money)] if run.money is not None else [])))


def _names(paths: Sequence[str]) -> Sequence[str]:
    return tuple(PurePath(path).name for path in paths)
