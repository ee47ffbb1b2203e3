"""The answers of two runs side by side: parsed part by part, and long ones shown page by page."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel, QWidget

from desktop_rag.gui.conversation.answer.long_blocks import TURN, shown_rows, weight
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownTable, plain_text
from desktop_rag.gui.conversation.answer.parsing import final_blocks
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.widgets.place_switch import PlaceSwitch
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.hidden_characters import visible
from desktop_rag.text.readable_math import readable_math

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
