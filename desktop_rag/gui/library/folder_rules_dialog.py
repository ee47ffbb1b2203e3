"""The dialog for the rules of one folder: what they leave out is shown while they are typed, before they are saved."""

import os
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, set_role, text_font
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog, ScrolledParts
from desktop_rag.gui.widgets.drop_zone import dropped_paths
from desktop_rag.gui.widgets.fields import indent_number
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label, NoteLabel, PlainLabel
from desktop_rag.index.folders.name_rules import line_of_suffix
from desktop_rag.index.folders.rules import RuleDecision
from desktop_rag.index.indexer_api import FolderStatus, LineEffect, RulePreview
from desktop_rag.index.records import FolderRules
from desktop_rag.text.display import one_line, shown_name, shown_path

# The editor of ignore patterns: plain lines, and beside each what it does to the files of the folder.

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PatternEditor(QPlainTextEdit):
    """Edits gitignore lines; the right margin says of each line what it leaves out, or why it cannot be read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._effects: dict[str, LineEffect] = {}
        self._margin = _EffectMargin(self)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setPlaceholderText("*.log\n/drafts/\n**/node_modules/\n!keep.log")
        self.setAccessibleName(self.tr("Patterns to ignore, one per line"))
        self.setTabChangesFocus(True)
        self.setFont(mono_font())
        set_role(self, "field")
        self.updateRequest.connect(self._on_update_requested)
        self.textChanged.connect(self._on_text_changed)

    def lines(self) -> tuple[str, ...]:
        """Return the lines that are not empty."""
        return tuple(line for text in self.toPlainText().splitlines() if (line := text.strip()))

    def show_effects(self, lines: Sequence[str], effects: Sequence[LineEffect]) -> None:
        """Show the effects of these lines; a line typed since then has none yet."""
        self._effects = dict(zip(lines, effects, strict=True))
        said = (self.tr("{0}: {1}").format(line, self.words(line)) for line in self.lines() if line in self._effects)
        self.setAccessibleDescription(". ".join(said))
        self._fit()

    def effect(self, line: str) -> LineEffect | None:
        """Return the effect of a line, or None while it is unknown."""
        return self._effects.get(line.strip())

    def current_line(self) -> str:
        """Return the line of the cursor."""
        return self.textCursor().block().text().strip()

    def words(self, line: str) -> str:
        """Return what a line does, in few words; empty while it is unknown and for comments."""
        effect = self.effect(line)
        if effect is None or line.strip().startswith("#"):
            return ""
        if effect.trouble:
            return self.tr("not valid")
        if effect.hidden:
            return counted(self.tr("leaves out %Ln file(s)", "", effect.hidden), effect.hidden)
        if effect.included:
            return counted(self.tr("keeps %Ln file(s)", "", effect.included), effect.included)
        return self.tr("decides about no file")

    def append_line(self, line: str) -> None:
        """Add a line at the end."""
        text = self.toPlainText().rstrip("\n")
        self.setPlainText(f"{text}\n{line}" if text else line)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def paint_margin(self, area: QWidget) -> None:
        """Paint the words beside the visible lines."""
        colors = current_colors()
        painter = QPainter(area)
        painter.fillRect(area.rect(), QColor(colors.surface))
        painter.setFont(text_font(-1))
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > area.height():
                break
            effect = self.effect(block.text())
            painter.setPen(QColor(colors.danger if effect is not None and effect.trouble else colors.muted))
            line = QRect(0, round(place.top()), area.width() - GRID, round(place.height()))
            painter.drawText(
                line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.words(block.text())
            )
            block = block.next()
        painter.end()

    def _fit(self) -> None:
        """Give the margin the width of its longest words."""
        metrics = QFontMetrics(text_font(-1))
        widest = max((metrics.horizontalAdvance(self.words(line)) for line in self._effects), default=0)
        room = widest + 2 * GRID if widest else 0
        self.setViewportMargins(0, 0, room, 0)
        port = self.viewport().geometry()
        self._margin.setGeometry(port.right() + 1, port.top(), room, port.height())
        self._margin.update()

    def _on_update_requested(self, _: QRect, __: int) -> None:
        self._margin.update()

    def _on_text_changed(self) -> None:
        self._margin.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margin at the right edge."""
        super().resizeEvent(event)
        self._fit()


class _EffectMargin(QWidget):
    """The column at the right of the lines."""

    def __init__(self, editor: PatternEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_margin(self)


_LARGEST = 200  # readers take no larger files; a larger limit would have no effect
_TYPING = 200  # debounce of typing, in milliseconds
_EXAMPLES = 3
_LINES_SHOWN = 3  # of the text about the files


class _PathField(QLineEdit):
    """A field for a path, which can also be dropped on it."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            event.acceptProposedAction()
        else:
            super().dragEnterEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_paths(event.mimeData())
        if paths:
            self.setText(os.fsdecode(paths[0]))
            event.acceptProposedAction()
        else:
            super().dropEvent(event)


class FolderRulesDialog(BoundedDialog):
    """Edits the rules of one folder; nothing changes until Save."""

    rules_changed = Signal(object, object)  # the FolderId and its new FolderRules
    path_asked = Signal(object, object, object)  # the folder's path, the FolderRules in the fields, a path as bytes
    preview_asked = Signal(object, object)  # the FolderId and the FolderRules in the fields

    def __init__(self, status: FolderStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Rules of “{0}”").format(shown_name(status.path)))
        self.resize(620, 640)
        self._status = status
        self._preview: RulePreview | None = None
        self._gitignore = QCheckBox(self.tr("Ignore what .gitignore files ignore"), self)
        self._hidden = QCheckBox(self.tr("Include hidden files and folders"), self)
        self._hard_links = QCheckBox(self.tr("Include files that have other names, too (hard links)"), self)
        self._largest = QSpinBox(self)
        self._patterns = PatternEditor(self)
        self._types = QPushButton(self.tr("Leave out a type"), self)
        self._result = PlainLabel("", "", self)
        self._examples = PlainLabel("", "caption", self)
        self._tested = _PathField(self)
        self._choose = QPushButton(self.tr("Choose…"), self)
        self._verdict = NoteLabel("caption", self)
        self._asking = QTimer(self, singleShot=True, interval=_TYPING)
        self._previewing = QTimer(self, singleShot=True, interval=_TYPING)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._save = QPushButton(self.tr("Save and check the folder"), self)
        self._fill(status.rules)
        self._arrange()
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self.reject)
        self._choose.clicked.connect(self._on_choose_clicked)
        self._asking.timeout.connect(self._on_asking)
        self._previewing.timeout.connect(self._ask_for_preview)
        self._patterns.cursorPositionChanged.connect(self._show_examples)
        self._tested.textChanged.connect(self._asking.start)
        for changed in (
            self._patterns.textChanged,
            self._gitignore.toggled,
            self._hidden.toggled,
            self._hard_links.toggled,
            self._largest.valueChanged,
        ):
            changed.connect(self._asking.start)
            changed.connect(self._on_rules_edited)
        self._on_rules_edited()

    def show_decision(self, decision: RuleDecision | None) -> None:
        """Show what the rules in the fields decide about the tested path; None means it is outside the folder."""
        if decision is None:
            message = self.tr("This path is outside the folder.")
        else:
            verdict = self.tr("Included.") if decision.included else self.tr("Ignored.")
            message = f"{verdict} {one_line(sentence(decision.reason))}" if decision.detail else verdict
        self._verdict.setText(message)
        self._tested.setAccessibleDescription(message)

    def show_preview(self, rules: FolderRules, preview: RulePreview) -> None:
        """Show what `rules` would do, if they are still those in the fields."""
        if rules != self.rules():
            return
        self._preview = preview
        self._patterns.show_effects(rules.ignore, preview.lines)
        self._result.setText(self._result_of(preview))
        self._show_examples()
        menu = self._types.menu()
        menu.clear()
        for suffix, count in preview.suffixes:
            files = counted(self.tr("%Ln file(s)", "", count), count)
            menu.addAction(self.tr(".{0} – {1}").format(suffix, files)).setData(suffix)
        self._types.setEnabled(bool(preview.suffixes))

    def _result_of(self, preview: RulePreview) -> str:
        if preview.missing:
            return self.tr("The folder is not here now, so its files cannot be counted.")
        after, lost, gained = map(number, (preview.after, preview.lost, preview.gained))
        if preview.lost or preview.gained:
            text = self.tr("Files read with these rules: {0} ({1} fewer and {2} more than now).")
        else:
            text = self.tr("Files read with these rules: {0}, the same as now.")
        text = text.format(after, lost, gained)
        if not preview.complete:
            return self.tr("{0} Still counting…").format(text)
        return self.tr("{0} Only a part of this large folder was counted.").format(text) if preview.capped else text

    def _show_examples(self) -> None:
        """Show the files of the line with the cursor, else what the rules change."""
        preview = self._preview
        effect = self._patterns.effect(self._patterns.current_line())
        lines: list[str] = []
        if effect is not None and effect.trouble:
            lines = [self.tr("“{0}”: {1}").format(one_line(self._patterns.current_line()), sentence(effect.trouble))]
        elif effect is not None and effect.examples:
            lines = [self.tr("This line: {0}").format(self._listed(effect.examples, effect.hidden + effect.included))]
        elif preview is not None:
            broken = next((line for line in preview.lines if line.trouble), None)
            if preview.lost:
                left = tuple(path for path, _ in preview.lost_examples)
                lines.append(self.tr("No longer read: {0}").format(self._listed(left, preview.lost)))
            if preview.gained:
                lines.append(self.tr("Newly read: {0}").format(self._listed(preview.gained_examples, preview.gained)))
            if broken is not None:
                lines.append(self.tr("A pattern is not valid: {0}").format(sentence(broken.trouble)))
        self._examples.setText("\n".join(lines))

    def _listed(self, paths: tuple[bytes, ...], total: int) -> str:
        shown = ", ".join(one_line(shown_path(path)) for path in paths[:_EXAMPLES])
        more = total - min(len(paths), _EXAMPLES)
        return counted(self.tr("{0} and %Ln more", "", more), more).format(shown) if more else shown

    def _on_rules_edited(self) -> None:
        self._previewing.start()

    def _ask_for_preview(self) -> None:
        self._result.setText(self.tr("Counting the files…"))
        self.preview_asked.emit(self._status.folder, self.rules())

    def _on_type_triggered(self, action: QAction) -> None:
        self._patterns.append_line(line_of_suffix(action.data()))

    def rules(self) -> FolderRules:
        """Return the rules in the fields."""
        return FolderRules(
            ignore=self._patterns.lines(),
            use_gitignore=self._gitignore.isChecked(),
            include_hidden=self._hidden.isChecked(),
            max_megabytes=self._largest.value(),
            hard_links=self._hard_links.isChecked(),
        )

    def _fill(self, rules: FolderRules) -> None:
        self._gitignore.setChecked(rules.use_gitignore)
        self._hidden.setChecked(rules.include_hidden)
        self._hard_links.setChecked(rules.hard_links)
        self._hard_links.setToolTip(self.tr("Such a file may also lie outside of this folder"))
        self._largest.setRange(1, _LARGEST)
        indent_number(self._largest, 120)
        self._largest.setSuffix(self.tr(" MB"))
        self._largest.setValue(rules.max_megabytes)
        self._largest.setAccessibleName(self.tr("Largest file"))
        self._patterns.setPlainText("\n".join(rules.ignore))
        self._types.setMenu(QMenu(self._types))
        self._types.menu().triggered.connect(self._on_type_triggered)
        self._types.setEnabled(False)
        self._types.setAccessibleDescription(self.tr("Add a pattern for all files of one type"))
        self._examples.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._examples.setMinimumHeight(_LINES_SHOWN * self._examples.fontMetrics().lineSpacing())
        self._tested.setPlaceholderText(self.tr("Type or drop a path: drafts/plan.md"))
        self._tested.setAccessibleName(self.tr("A path to test the rules on"))
        self._choose.setAccessibleName(self.tr("Choose a file to test the rules on"))
        self._verdict.setMinimumHeight(2 * self._verdict.fontMetrics().lineSpacing())
        self._verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._save.setDefault(True)
        set_role(self._save, "primary")

    def _arrange(self) -> None:
        path = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        set_role(path, "caption")
        path.show_text(shown_path(self._status.path))
        title = Label(self.tr("Also ignore"), self)
        set_role(title, "heading")
        hint = Label(self.tr("One pattern per line, as in a .gitignore file. “!” includes a file again."), self)
        set_role(hint, "caption")
        hint.setWordWrap(True)
        label = Label(self.tr("Ignore files larger than"), self)
        label.setBuddy(self._largest)
        inside = QWidget(self)
        in_column(
            path,
            *((box, LEFT) for box in (self._gitignore, self._hidden, self._hard_links)),
            in_row(label, self._largest, STRETCH),
            GRID,
            in_row((title, 1), self._types, spacing=None),
            hint,
            (self._patterns, 1),
            self._result,
            self._examples,
            self._tester(),
            on=inside,
        )
        in_column(
            (ScrolledParts([inside], self), 1), in_row(STRETCH, self._cancel, self._save), on=self, margins=2 * GRID
        )

    def _tester(self) -> QVBoxLayout:
        title = Label(self.tr("Which rule decides?"), self)
        set_role(title, "heading")
        title.setBuddy(self._tested)
        return in_column(title, in_row((self._tested, 1), self._choose), self._verdict)

    def _on_choose_clicked(self) -> None:
        dialog = FileDialog(self, self.tr("Test the rules on a file"), os.fsdecode(self._status.path))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._tested.setText)
        dialog.open()

    def _on_asking(self) -> None:
        text = self._tested.text().strip()
        if text:
            self.path_asked.emit(self._status.path, self.rules(), os.fsencode(text))
        else:
            self._verdict.setText("")

    def _on_save_clicked(self) -> None:
        if self.rules() != self._status.rules:
            self.rules_changed.emit(self._status.folder, self.rules())
        self.accept()
