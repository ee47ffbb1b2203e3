"""The settings page about other programs that may use the library, and the question before one is added or removed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor, QTextFormat
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QPushButton, QTextEdit, QWidget

from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog, ScrolledParts
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.mcp_server.client_entries import PlannedChange
from desktop_rag.text.display import one_line, terminal_safe

_DIFF_LINES = 24  # shown without scrolling


@dataclass(frozen=True, slots=True)
class ProgramState:
    """Another program: its name in commands, its title, whether it seems to be installed, and whether it was added."""

    name: str
    title: str
    is_installed: bool
    is_added: bool


@dataclass(slots=True)
class _Row:
    """The widgets of a program, and what a click on its button asks for."""

    state: PlainLabel
    button: QPushButton
    adds: bool = True


class ProgramsPage(ScrolledPage):
    """One row for each program whose settings can be changed; each change is shown and confirmed before."""

    change_requested = Signal(str, bool)  # the name of a program; True: add the server to it, False: remove it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._programs: dict[str, _Row] = {}
        self.add_heading(self.tr("Use the library in other programs"))
        self.add_words(
            self.tr(
                "These programs can search and read your documents, cite their lines, and have their answers checked "
                "against them. They find the library where it is; nothing is copied."
            )
        )
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnStretch(1, 1)
        self.column.addLayout(self._grid)
        self._note = PlainLabel("", "", self.inside).fit_height()
        self._note.hide()
        self.column.addWidget(self._note)
        self.add_heading(self.tr("What leaves this computer"))
        self.add_words(
            self.tr(
                "Desktop RAG sends nothing. But a program that you add passes on what it reads to its own model, which "
                "may run on other computers. Add only programs that you would show these documents to."
            )
        )
        self.add_heading(self.tr("Any other program"))
        self.add_words(
            self.tr("Programs with the Model Context Protocol (MCP) start the library's server with this command:")
        )
        self._shown_command = self.add_words()
        self._shown_command.setFont(mono_font(-1))
        self._shown_command.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._shown_command.setAccessibleName(self.tr("Command of the server"))
        self._copy = QPushButton(self.tr("Copy the command"), self.inside)
        self._copy.setEnabled(False)
        self._copy.clicked.connect(self._on_copy_clicked)
        self.column.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)

    def show_programs(self, programs: Sequence[ProgramState], command: str, trouble: str = "") -> None:
        """Show the programs and the command of the server; `trouble` says why none can be added."""
        self._shown_command.setText(command)
        self._copy.setEnabled(not trouble)
        for number, program in enumerate(programs):
            row = self._programs.get(program.name) or self._add_row(number, program)
            row.adds = not program.is_added
            add = self.tr("Add…") if program.is_installed else self.tr("Add anyway…")
            row.button.setText(add if row.adds else self.tr("Remove…"))
            row.button.setEnabled(program.is_added or not trouble)
            missing = "" if program.is_installed else self.tr("Not found on this computer")
            row.state.setText(self.tr("Added") if program.is_added else missing)
        if trouble:
            self.say(trouble, trouble=True)

    def say(self, text: str, *, trouble: bool = False) -> None:
        """Show what has happened below the programs."""
        set_role(self._note, "trouble" if trouble else "")
        self._note.setText(text)
        self._note.show()

    def _add_row(self, number: int, program: ProgramState) -> "_Row":
        row = _Row(PlainLabel("", "muted", self.inside), QPushButton(self.inside))
        row.button.setAutoDefault(False)
        row.button.setAccessibleDescription(program.title)
        row.button.clicked.connect(lambda: self.change_requested.emit(program.name, row.adds))
        title = Label(program.title, self.inside)
        title.setBuddy(row.button)
        for column, widget in enumerate((title, row.state, row.button)):
            self._grid.addWidget(widget, number, column)
        before = [each.button for each in self._programs.values()]
        for first, second in pairwise((*before[-1:], row.button, self._shown_command)):
            self.setTabOrder(first, second)
        self._programs[program.name] = row
        return row

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._shown_command.text())
        self._copy.setText(self.tr("Copied"))


class ProgramChangeDialog(ActionDialog):
    """Shows a change of another program's settings, before it is written."""

    def __init__(self, change: PlannedChange, parent: QWidget | None = None, *, adds: bool) -> None:
        title = _tr("Add to {0}") if adds else _tr("Remove from {0}")
        super().__init__(title.format(change.client), _tr("Change its settings"), parent)
        self.setFixedWidth(640)
        diff = QPlainTextEdit(self)
        diff.setReadOnly(True)
        diff.setTabChangesFocus(True)
        diff.setFont(mono_font(-1))
        diff.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        diff.setAccessibleName(_tr("Lines that change"))
        lines = change.diff().splitlines()[2:]  # without the names of the file, which stand above
        diff.setPlainText(terminal_safe("\n".join(line for line in lines if not line.startswith("@@"))))
        diff.setExtraSelections(list(_coloured(diff)))
        rows = min(max(diff.blockCount(), 4), _DIFF_LINES)
        diff.setFixedHeight(rows * diff.fontMetrics().lineSpacing() + 4 * GRID)
        set_role(self.act, "primary")
        self.act.setDefault(True)
        said = _tr("These lines of {0} change; all others stay as they are. To undo it, come back to this page.")
        self.arrange(self.words(said.format(one_line(str(change.file))), "muted"), ScrolledParts([diff], self))


def _coloured(diff: QPlainTextEdit) -> Iterator[QTextEdit.ExtraSelection]:
    """Yield a colour for each line that is added or removed."""
    colors = current_colors()
    soft = {"+": colors.success_soft, "-": colors.danger_soft}
    block = diff.document().firstBlock()
    while block.isValid():
        if block.text()[:1] in soft:
            line = QTextEdit.ExtraSelection()
            line.cursor = QTextCursor(block)
            line.format.setBackground(QColor(soft[block.text()[0]]))
            line.format.setProperty(QTextFormat.Property.FullWidthSelection.value, True)  # noqa: FBT003
            yield line
        block = block.next()


def _tr(text: str) -> str:
    return QCoreApplication.translate("ProgramChangeDialog", text)
