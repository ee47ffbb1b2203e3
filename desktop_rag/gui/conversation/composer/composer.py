"""The question field with the choice of model, method and folders, and one button that sends or stops."""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import pairwise

from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope
from desktop_rag.gui.answer_methods import AnswerMethod, method_name, plain_methods, research_methods
from desktop_rag.gui.command_parts import CommandPart, new_command, shown_keys
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.composer.scope_picker import ScopePicker
from desktop_rag.gui.conversation.composer.scope_row import ScopeRow
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.text.display import distinct_names, one_line

# The buttons of the question field: a menu of choices, and Send or Stop.

_WIDEST = 220  # pixels, or more in a large font
_LEAST_TEXT = 64  # pixels of a long choice that is shown in part; with less room only the icon is shown
_ICON, _ARROW = 16, 14


class ChoiceForm(IntEnum):
    """How much of a choice is shown."""

    WHOLE = 0
    SHORT = 1  # without what stands in brackets
    BARE = 2  # and without the arrow; a long one is elided
    ICON = 3


class ChoiceButton(PaintedButton):
    """Shows the current choice, and opens a menu above itself to change it."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._menu: QMenu | None = None
        self._shown = self._short = ""
        self._form = ChoiceForm.WHOLE
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    @property
    def menu(self) -> QMenu | None:
        """Return the menu of choices."""
        return self._menu

    def set_menu(self, menu: QMenu) -> None:
        """Replace the menu of choices."""
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = menu

    def set_choice(self, shown: str, description: str, short: str = "") -> None:
        """Show the choice, in a narrow window its `short` form; `description` is the tooltip and accessible name."""
        self._shown, self._short = shown, short or shown
        self.setAccessibleName(description)
        self.setToolTip(tool_tip(description))
        self.updateGeometry()
        self.update()

    @property
    def form(self) -> ChoiceForm:
        """Return how much of the choice is shown."""
        return self._form

    def set_form(self, form: ChoiceForm) -> None:
        """Show more or less of the choice."""
        if form is not self._form:
            self._form = form
            self.updateGeometry()
            self.update()

    def shown_text(self) -> str:
        """Return the painted text, elided to the button's width."""
        if self._form is ChoiceForm.ICON:
            return ""
        text = self._shown if self._form is ChoiceForm.WHOLE else self._short
        room = self.width() - self.width_as(ChoiceForm.ICON) - self._arrow_width() - 6
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)

    def width_as(self, form: ChoiceForm) -> int:
        """Return the width of a form, limited for a long choice."""
        if form is ChoiceForm.ICON:
            return scaled(_ICON) + 12
        text = self._shown if form is ChoiceForm.WHOLE else self._short
        arrow = 0 if form is ChoiceForm.BARE else scaled(_ARROW) + 6
        # A pixel more than the rounded advance: else a text that ends within a pixel is elided.
        return min(self.fontMetrics().horizontalAdvance(text) + 1 + scaled(_ICON) + arrow + 18, scaled(_WIDEST))

    def _arrow_width(self) -> int:
        return scaled(_ARROW) + 6 if self._form < ChoiceForm.BARE else 0

    @Slot()
    def _on_clicked(self) -> None:
        if self._menu is not None:
            size = self._menu.sizeHint()
            self._menu.popup(self.mapToGlobal(QPoint(0, -size.height() - 4)))
            for action in self._menu.actions():
                if action.isChecked():
                    self._menu.setActiveAction(action)

    def sizeHint(self) -> QSize:
        """Return the size of the current form."""
        return QSize(self.width_as(self._form), self.fontMetrics().height() + 14)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the current form; a long choice may be elided."""
        hint = self.sizeHint()
        least = self.width_as(ChoiceForm.ICON) + 6 + scaled(_LEAST_TEXT)
        return QSize(min(hint.width(), least), hint.height()) if self._form is ChoiceForm.BARE else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, choice and arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        icon, arrow = scaled(_ICON), scaled(_ARROW)
        icons.draw(painter, self.column(6, icon), self._icon, colors.muted, _ICON)
        painter.setPen(QColor(colors.muted))
        text = self.column(icon + 12, self.width() - icon - 16)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, self.shown_text())
        if self._arrow_width():
            icons.draw(painter, self.column(self.width() - arrow - 6, arrow), "chevron-down", colors.faint, _ARROW)


class SendButton(PaintedButton):
    """Sends the question; during a run it is the Stop button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(36, 36)
        self._running = False
        self.set_running(running=False)

    def set_running(self, *, running: bool) -> None:
        """Become the Stop button, or the Send button again."""
        self._running = running
        name = self.tr("Stop") if running else self.tr("Send")
        self.setAccessibleName(name)
        self.setToolTip(self.tr("Stop (Esc)") if running else self.tr("Send (Enter)"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the disc and the icon of its action."""
        colors = current_colors()
        painter = self.begin_painting()
        disc = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
        background = colors.accent_hover if self.underMouse() else colors.accent
        if not self.isEnabled():
            background = colors.track
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(background))
        painter.drawEllipse(disc)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.focus), 1.5))
            painter.drawEllipse(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75))
        foreground = colors.on_accent if self.isEnabled() else colors.faint
        if self._running:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(foreground))
            centre = disc.center()
            painter.drawRoundedRect(QRectF(centre.x() - 5, centre.y() - 5, 10, 10), 2, 2)
        else:
            icons.draw(painter, self.rect(), "send", foreground, 18)


_NARROW = 560  # pixels; below, the folders get a separate row
_KEPT_QUESTIONS = 50
_FORMS = (  # of the buttons of model and method, from the widest
    (ChoiceForm.WHOLE, ChoiceForm.WHOLE),
    (ChoiceForm.SHORT, ChoiceForm.WHOLE),
    (ChoiceForm.BARE, ChoiceForm.WHOLE),
    (ChoiceForm.BARE, ChoiceForm.BARE),
    (ChoiceForm.BARE, ChoiceForm.ICON),
)


class Composer(QWidget):
    """Emits questions, notes and controls for the run, and remembers the last questions."""

    question_asked = Signal(str)  # the user sent this question
    edited = Signal()  # the text of the field changed
    stop_requested = Signal()  # stop the run
    connect_requested = Signal()  # set up a model
    profile_chosen = Signal(str)  # use the profile with this name, "" for the built-in model
    toolkit_chosen = Signal(str)  # use the toolkit with this name
    scope_changed = Signal()  # the user chose other folders or documents
    question_refused = Signal()  # Enter was pressed during a run that takes no notes; the text stays in the field
    note_written = Signal(str)  # pass this note to the run in progress
    pause_toggled = Signal(bool)  # pause the run (True), or resume it
    more_steps_requested = Signal()  # allow the run more steps than the settings do
    attach_requested = Signal()  # let the user choose files to attach
    files_pasted = Signal(object)  # a tuple of paths as bytes

    def __init__(self, status: ShownStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = status
        self._running = self._takes_notes = False
        self._asked: list[str] = []
        self._recalled = 0
        self.field = QuestionField(self)
        self.field.submitted.connect(self._on_submitted)
        self.field.recalled.connect(self._on_recalled)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.installEventFilter(self)
        self.field.files_pasted.connect(self.files_pasted)
        self._attach = IconButton("attach", self.tr("Attach files to this conversation"), self)
        self._attach.clicked.connect(self.attach_requested)
        self._profiles = ChoiceButton("endpoint", self)
        self._methods = ChoiceButton("compare", self)
        self.scope_row = ScopeRow(self)
        self.scope_row.setFocusProxy(self.field)
        self.scope_row.changed.connect(self.scope_changed)
        self.picker = ScopePicker(self.field, parent or self)
        self._pause = IconButton("pause", "", self)
        self._pause.setCheckable(True)
        self._pause.toggled.connect(self._on_pause_toggled)
        self._more = IconButton("add", self.tr("Allow more steps"), self)
        self._more.clicked.connect(self.more_steps_requested)
        self._send = SendButton(self)
        self._send.clicked.connect(self._on_send_clicked)
        self._attach_files = new_command(
            self, "attach", self.tr("Attach files…"), "Ctrl+Shift+U", self.attach_requested.emit
        )
        self.addAction(self._attach_files)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._escape.setContext(Qt.ShortcutContext.WindowShortcut)
        self._escape.setEnabled(False)
        self._escape.activated.connect(self.stop_requested)
        self._bottom = in_row(
            self._attach,
            self._profiles,
            self._methods,
            (self.scope_row, 100),
            STRETCH,
            (self._more, Qt.AlignmentFlag.AlignVCenter),
            (self._pause, Qt.AlignmentFlag.AlignVCenter),
            (self._send, Qt.AlignmentFlag.AlignBottom),
            spacing=6,
        )
        self._rows = in_column(self.field, self._bottom, on=self, spacing=6, margins=(16, 12, 10, 9))
        self.setFocusProxy(self.field)
        self.set_placeholder(self.tr("Ask your documents"))
        self.set_profiles((), "")
        self.set_methods("full")
        self.set_running(False)
        self._on_text_changed()
        status.changed.connect(self._on_status)

    @property
    def question(self) -> str:
        """Return the text of the field."""
        return self.field.toPlainText()

    def set_question(self, text: str) -> None:
        """Replace the text of the field and move the cursor to its end."""
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def set_placeholder(self, text: str) -> None:
        """Set the placeholder shown while no run takes notes."""
        self._placeholder = text
        self._show_placeholder()

    def set_profiles(self, names: Sequence[str], active: str) -> None:
        """Offer the built-in model and the profiles `names`; `active` is "" for the built-in one."""
        menu = QMenu(self)
        group = QActionGroup(menu)
        built_in = self.tr("Built-in (no model)")
        for name in ("", *names):
            action = QAction(button_text(one_line(name)) if name else built_in, menu)
            action.setCheckable(True)
            action.setChecked(name == active)
            action.setData(name)
            group.addAction(action)
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(self.tr("Connect a model…")).triggered.connect(self.connect_requested)
        group.triggered.connect(self._on_profile_triggered)
        self._profiles.set_menu(menu)
        self._show_profile(active)

    def set_methods(self, active: str) -> None:
        """Offer the plain methods, and those of the papers in a submenu; `active` is the toolkit in use."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Method"))
        group = QActionGroup(menu)
        for method in plain_methods():
            menu.addAction(_method_action(method, active, group))
        menu.addSeparator()
        research = menu.addMenu(self.tr("Research"))
        for method in research_methods(active):
            research.addAction(_method_action(method, active, group))
        group.triggered.connect(self._on_method_triggered)
        self._methods.set_menu(menu)
        self._show_method(active)

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        if status is UNKNOWN:  # the library is left: its folders are not gone, they belong to another one
            self.scope_row.show_scope(WHOLE_LIBRARY)
        names = distinct_names([folder.path for folder in status.folders])
        self.scope_row.set_folders([(folder.folder, name) for folder, name in zip(status.folders, names, strict=True)])
        choices, controls = (self._attach, self._profiles, self._methods), (self._more, self._pause, self._send)
        for before, after in pairwise((*choices, *self.scope_row.chips(), *controls)):
            self.setTabOrder(before, after)

    def narrow(self, scope: ChosenScope) -> None:
        """Show where the conversation searches from now on, as if chosen here."""
        self.scope_row.show_scope(scope)
        self.scope_changed.emit()

    def refuse_attachments(self, why: str) -> None:
        """Take no files for conversations, for this reason; take them again if it is empty."""
        self._attach.setEnabled(not why)
        self._attach.setToolTip(tool_tip(why or self.tr("Attach files to this conversation")))
        self._attach_files.setEnabled(not why)
        self._attach_files.setWhatsThis(why)

    def commands(self) -> CommandPart:
        """Return the keys of the question field."""
        key = Qt.Key
        rows = (
            (self.tr("Ask"), key.Key_Return),
            (self.tr("New line"), QKeyCombination(Qt.KeyboardModifier.ShiftModifier, key.Key_Return)),
            (self.tr("Earlier question"), key.Key_Up),
            (self.tr("Stop the answer"), key.Key_Escape),
        )
        fixed = tuple((text, shown_keys(keys)) for text, keys in rows)
        return CommandPart("question", self.tr("In the question field"), (self._attach_files,), fixed, everywhere=True)

    def choices(self) -> tuple[tuple[str, QAction], ...]:
        """Return every choice of the menus with what it chooses: a model or a method."""
        menus = ((self.tr("Model"), self._profiles.menu), (self.tr("Method"), self._methods.menu))
        return tuple((name, action) for name, menu in menus if menu for action in _leaves(menu))

    def set_running(self, running: bool, *, takes_notes: bool = False) -> None:  # noqa: FBT001 - reads as its name
        """Show the Stop and steering controls during a run, Send otherwise.

        Text sent during a run that `takes_notes` is a note to it; otherwise it stays in the field as the next question.
        """
        if running != self._running:
            with QSignalBlocker(self._pause):
                self._pause.setChecked(False)
        self._running, self._takes_notes = running, takes_notes
        self._send.set_running(running=running)
        self._escape.setEnabled(running)
        self._pause.setVisible(running)
        self._more.setVisible(running)
        self._show_pause()
        self._show_placeholder()
        self._on_text_changed()

    def _show_pause(self) -> None:
        paused = self._pause.isChecked()
        self._pause.set_icon_name("play" if paused else "pause")
        self._pause.set_label(self.tr("Continue") if paused else self.tr("Pause"))

    def _show_placeholder(self) -> None:
        note = self.tr("Write a note to the model; it reads it before its next step")
        self.field.show_placeholder(note if self._running and self._takes_notes else self._placeholder)
        self.field.viewport().update()  # Qt repaints a placeholder only when it appears or goes

    @Slot(bool)
    def _on_pause_toggled(self, paused: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        self._show_pause()
        self.pause_toggled.emit(paused)

    def restore_question(self, question: str) -> None:
        """Put a question back into the field after it failed, unless the field has text."""
        if not self.question.strip():
            self.set_question(question)

    def withdraw_question(self, question: str) -> None:
        """Empty the field if it has exactly this question."""
        if self.question.strip() == question.strip():
            self.set_question("")

    def _show_method(self, toolkit: str) -> None:
        name = method_name(toolkit)
        self._methods.set_choice(name, self.tr("Method: {name}").format(name=name))

    def _show_profile(self, name: str) -> None:
        shown = one_line(name) if name else self.tr("Built-in (no model)")
        short = shown if name else re.split(r"\s*[(（]", shown)[0]
        self._profiles.set_choice(shown, self.tr("Model: {name}").format(name=shown), short)

    @Slot()
    def _on_submitted(self) -> None:
        text = self.question.strip()
        if not text:
            return
        if self._running and self._takes_notes:
            self.field.clear()
            self.note_written.emit(text)
            return
        if self._running:
            self.question_refused.emit()
            return
        if not self._asked or self._asked[-1] != text:
            self._asked = [*self._asked, text][-_KEPT_QUESTIONS:]
        self._recalled = len(self._asked)
        self.field.clear()
        self.question_asked.emit(text)

    @Slot()
    def _on_send_clicked(self) -> None:
        if self._running:
            self.stop_requested.emit()
        else:
            self._on_submitted()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)  # else the keys go where Qt moves the focus: the meter

    @Slot(int)
    def _on_recalled(self, step: int) -> None:
        text = self.question
        if text and (self._recalled >= len(self._asked) or text != self._asked[self._recalled]):
            return  # do not overwrite an edited question
        index = self._recalled + step
        if 0 <= index < len(self._asked):
            self._recalled = index
            self.set_question(self._asked[index])
        elif index >= len(self._asked):
            self._recalled = len(self._asked)
            self.field.clear()

    @Slot()
    def _on_text_changed(self) -> None:
        self._send.setEnabled(self._running or bool(self.question.strip()))
        self.edited.emit()

    @Slot(QAction)
    def _on_method_triggered(self, action: QAction) -> None:
        toolkit = str(action.data())
        self._show_method(toolkit)
        self.toolkit_chosen.emit(toolkit)

    @Slot(QAction)
    def _on_profile_triggered(self, action: QAction) -> None:
        name = str(action.data() or "")
        self._show_profile(name)
        self.profile_chosen.emit(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Repaint the border when the field gains or loses the keyboard focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the folders to a row of their own or back."""
        super().resizeEvent(event)
        self._place_scope()

    def event(self, event: QEvent) -> bool:
        """Look again where the folders fit when anything in the composer has another size."""
        if event.type() == QEvent.Type.LayoutRequest and hasattr(self, "_rows"):
            self._place_scope()
        return super().event(event)

    def _place_scope(self) -> None:
        """Give the folders a row of their own where they do not fit beside the buttons on one line."""
        beside = [self._attach, *(each for each in (self._more, self._pause) if each.isVisible()), self._send]
        margins = self._rows.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        fixed = (max(button.sizeHint().width(), button.minimumWidth()) for button in beside)  # a hint may be less
        room -= sum(fixed) + (len(beside) + 2) * self._bottom.spacing()
        self._fit_choices(room)
        left = room - sum(each.width_as(ChoiceForm.WHOLE) for each in (self._profiles, self._methods))
        narrow = self.width() < _NARROW or self.scope_row.width_of_one_line() > left - self._bottom.spacing()
        if narrow and self._bottom.indexOf(self.scope_row) >= 0:
            self._bottom.removeWidget(self.scope_row)
            self._rows.insertWidget(1, self.scope_row)
        elif not narrow and self._bottom.indexOf(self.scope_row) < 0:
            self._rows.removeWidget(self.scope_row)
            self._bottom.insertWidget(3, self.scope_row, 100)

    def _fit_choices(self, room: int) -> None:
        """Show as much of model and method as has room: the name of the model, which says where texts go, longest."""
        for model, method in _FORMS:
            if self._profiles.width_as(model) + self._methods.width_as(method) <= room:
                break
        else:
            self._methods.set_form(ChoiceForm.ICON)
            self._profiles.set_form(ChoiceForm.BARE)
            least = self._profiles.minimumSizeHint().width() + self._methods.width_as(ChoiceForm.ICON)
            model, method = ChoiceForm.BARE if least <= room else ChoiceForm.ICON, ChoiceForm.ICON
        self._profiles.set_form(model)
        self._methods.set_form(method)

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the composer can shrink with the window."""
        return QSize(240, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card around field and buttons."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.field.hasFocus()
        painter.setPen(QPen(QColor(colors.focus if focused else colors.outline), 1.5 if focused else 1))
        painter.setBrush(QColor(colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 14, 14)


def _method_action(method: AnswerMethod, active: str, group: QActionGroup) -> QAction:
    action = QAction(f"{button_text(method.name)}\t{button_text(method.line)}", group)
    action.setCheckable(True)
    action.setChecked(method.toolkit == active)
    action.setData(method.toolkit)
    return action


def _leaves(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _leaves(inner)
        elif not action.isSeparator():
            yield action
