"""The simple pages of the settings: method, limits, answers, editor, look."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from desktop_rag.gui.answer_methods import plain_methods, research_methods
from desktop_rag.gui.catalogues import LANGUAGES
from desktop_rag.gui.desktop.global_hotkey import hotkey_is_available
from desktop_rag.gui.desktop.tray_icon import tray_is_available
from desktop_rag.gui.files.file_wording import size_text
from desktop_rag.gui.os_services import detected_editor
from desktop_rag.gui.privacy.rules_editor import PrivacyRules
from desktop_rag.gui.settings.diagnostics import endpoint_hosts, host_of
from desktop_rag.gui.settings.page_parts import FieldsPage, ScrolledPage
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import Number, set_up_number
from desktop_rag.gui.widgets.layouts import LEFT, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import FONT_PERCENT, RANGES, Density, Settings, Theme, Unsourced
from desktop_rag.text.display import shown_path


class AppearancePage(FieldsPage):
    """The choice of theme, size of the text, density and language."""

    def _build(self) -> None:
        system, name = self.tr("Same as the system"), self.tr("Size of the text")
        self.add_heading(self.tr("Theme"))
        themes = {Theme.SYSTEM: system, Theme.LIGHT: self.tr("Light"), Theme.DARK: self.tr("Dark")}
        self.add_choices("theme", themes)
        self.add_heading(name)
        percent = set_up_number(QSpinBox(self.inside), name, *FONT_PERCENT, 10, 14 * GRID, suffix=self.tr(" %"))
        self.column.addWidget(self.fields.add("font_percent", percent), 0, LEFT)
        self.add_words(
            self.tr("The font size of the whole window, answers and documents included. 100 % is that of the system.")
        )
        self.add_heading(self.tr("Density"))
        compact = self.tr("Compact: more rows on the screen")
        self.add_choices("density", {Density.COMFORTABLE: self.tr("Comfortable"), Density.COMPACT: compact})
        language = QComboBox(self.inside)
        for code, name in {"": system, **LANGUAGES}.items():
            language.addItem(name, code)
        language.setAccessibleName(self.tr("Language"))
        self.add_heading(self.tr("Language"))
        self.column.addWidget(self.fields.add("language", language), 0, LEFT)
        self.add_words(self.tr("Another language is used from the next start on."))


class MethodPage(ScrolledPage):
    """The choice of method, each with one line about it; the button below the question changes it, too."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        active = settings.toolkit
        plain, research = plain_methods(), research_methods(active)
        self._toolkits = tuple(method.toolkit for method in (*plain, *research))
        self._group = QButtonGroup(self)
        self.column.setSpacing(GRID // 2)
        self.add_heading(self.tr("Method"))
        self.add_words(self.tr("How a question is answered: how much is searched and read, and what counts as found."))
        for number, method in enumerate((*plain, *research)):
            if number == len(plain):
                self.add_heading(self.tr("Research: the systems of the papers"))
            button = QRadioButton(method.name, self.inside)
            button.setChecked(method.toolkit == active)
            button.setAccessibleDescription(method.line)
            line = PlainLabel(method.line, "muted", self.inside)
            line.setIndent(3 * GRID)
            self._group.addButton(button, number)
            self.column.addWidget(button, 0, LEFT)
            self.column.addWidget(line)
            self.column.addSpacing(GRID // 2)
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the chosen method, if one was chosen."""
        chosen = self._group.checkedId()
        return replace(settings, toolkit=self._toolkits[chosen]) if chosen >= 0 else settings


class LimitsPage(FieldsPage):
    """The limits of a run, and of the money that all runs may cost."""

    def _build(self) -> None:
        intro = self.tr(
            "When a run reaches one of these limits, you are asked whether it may go on. If you do not answer within a "
            "minute, the answer uses what was found until then; the built-in model never asks."
        )
        seconds, tokens = self.tr(" seconds"), self.tr(" tokens")
        form = self._form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID)
        form.setVerticalSpacing(GRID)
        self._add("limits.steps", self.tr("Steps"), QSpinBox(self.inside))
        self._add("limits.tool_calls", self.tr("Searches and reads"), QSpinBox(self.inside))
        self._add("limits.seconds", self.tr("Time"), QSpinBox(self.inside), suffix=seconds)
        self._add("limits.context_tokens", self.tr("Context per request"), QSpinBox(self.inside), 1024, tokens)
        self._add("limits.total_tokens", self.tr("Tokens per run"), QSpinBox(self.inside), 10_000, tokens)
        about_money = self.tr(
            "Before a request may pass one of these, you are asked. They count where prices are set for the model."
        )
        of_money = PlainLabel(about_money, "muted", self.inside).fit_height()
        of_money.setContentsMargins(0, 2 * GRID, 0, GRID)
        form.addRow(of_money)  # in one form all fields stand below each other
        self._add("money.run", self.tr("Money per run"), QDoubleSpinBox(self.inside))
        self._add("money.day", self.tr("Money per day"), QDoubleSpinBox(self.inside))
        self._add("money.month", self.tr("Money per month"), QDoubleSpinBox(self.inside))
        self.add_words(intro)
        self.column.addSpacing(GRID)
        self.column.addLayout(form)

    def _add(self, path: str, name: str, field: Number, step: int = 1, suffix: str = "") -> None:
        least, most = RANGES[path.rpartition(".")[2]]
        set_up_number(field, name, least, most, step, 200, suffix=suffix, unset="" if least else self.tr("No limit"))
        self._form.addRow(name, self.fields.add(path, field))


class AnswersPage(FieldsPage):
    """How a statement without a source is shown, whether the model looks again, and whether questions are suggested."""

    def _build(self) -> None:
        self.add_heading(self.tr("A statement without a source in your documents"))
        self.add_words(
            self.tr(
                "Models also state what they remember from their training. A statement without a citation is always "
                "marked or replaced."
            )
        )
        names = {Unsourced.MARK: self.tr("Mark it"), Unsourced.FORBID: self.tr("Replace it with a note")}
        self.add_choices("unsourced", names)
        self.add_heading(self.tr("A second look by the model"))
        cost = self.tr(
            "Costs one more request, about 130 tokens a statement. What the model reads counts only with words that "
            "stand in these lines. Off: what nobody compared is shown as “not checked”."
        )
        self.add_box("second_look", self.tr("Have the model compare statements with their lines"), cost)
        self.add_heading(self.tr("The next question"))
        about = self.tr("They are made from the lines that were read, without asking a model.")
        self.add_box("follow_ups", self.tr("Suggest questions below the last answer"), about)


class EditorPage(FieldsPage):
    """The command that opens a text file at a line in your editor; empty: the editor that was detected."""

    def _build(self) -> None:
        detected = detected_editor()
        field = self.fields.add("editor", QLineEdit(self.inside))
        field.setPlaceholderText(detected or "code -g {path}:{line}")
        field.setAccessibleName(self.tr("Editor command"))
        usage = self.tr(
            "“Open in my editor at this line” runs this command, with {path} and {line} for the file and the line."
        )
        default = (
            self.tr("If the field is empty, {0} is used.").format(detected)
            if detected
            else self.tr("No editor was found on this computer.")
        )
        self.add_heading(self.tr("Your editor"))
        self.column.addWidget(field)
        self.add_words(f"{usage} {default}")


class DesktopPage(FieldsPage):
    """What the program does outside of its window: one box for each thing, with one line about it."""

    def _build(self) -> None:
        missing = self.tr("Not available on this desktop")
        self.column.setSpacing(GRID // 2)
        self.add_heading(self.tr("Notifications"))
        notify = self.add_box(
            "desktop.notify",
            self.tr("Tell when a long answer or a new library is ready"),
            self.tr("After 15 seconds or more, while you use another program. A click shows it."),
        )
        with_question = self.add_box(
            "desktop.notify_question",
            self.tr("With the words of the question"),
            self.tr("Others may read it on the screen. A notification never contains text of a document."),
        )
        with_question.setEnabled(False)
        notify.toggled.connect(with_question.setEnabled)
        self.add_heading(self.tr("Start and end"))
        self.add_box(
            "desktop.tray",
            self.tr("Icon in the tray"),
            self.tr("Closing the window then only hides it; the icon opens it again and quits the program."),
            "" if tray_is_available() else missing,
        )
        self.add_box(
            "desktop.start_at_login",
            self.tr("Start when you log in"),
            self.tr("In the tray, or else minimised, so that new files are searchable when you need them."),
        )
        key = self.tr("Key that opens the window from anywhere")
        self.add_heading(key)
        hotkey = self.fields.add("desktop.hotkey", QKeySequenceEdit(self.inside))
        hotkey.setMaximumSequenceLength(1)
        hotkey.setClearButtonEnabled(True)
        hotkey.setAccessibleName(key)
        hotkey.setMaximumWidth(240)
        hotkey.setEnabled(hotkey_is_available())
        self.column.addWidget(hotkey)
        about_keys = self.tr("Ctrl, Alt or the logo key with a letter, a digit, Space or F1 to F35. Empty: none.")
        self.add_words(about_keys if hotkey.isEnabled() else missing)
        self.add_heading(self.tr("Look"))
        self.add_box(
            "desktop.dark_pages",
            self.tr("Dark paper for printed pages in the dark theme"),
            self.tr("Photographs keep their colours. The file does not change."),
        )
        self.add_box(
            "desktop.system_accent",
            self.tr("Accent colour of the system"),
            self.tr("Made lighter or darker where it could not be read."),
        )
        self.add_box(
            "desktop.reduced_motion",
            self.tr("Nothing moves by itself"),
            self.tr("No animations. Also without this box if your system asks for it."),
        )


# The settings page about privacy: what leaves this computer, what is remembered, and where it is kept.


@dataclass(frozen=True, slots=True)
class History:
    """Something the program remembers: `clear` empties it and returns how to bring it back."""

    name: str
    count: Callable[[], int]
    clear: Callable[[], Callable[[], None]]


class PrivacyPage(ScrolledPage):
    """Names every computer that questions are sent to, and clears what is remembered."""

    sent_requested = Signal()  # show what was sent
    folder_requested = Signal()  # open the data folder in the file manager

    def __init__(
        self, settings: Settings, home: Path, histories: tuple[History, ...] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.add_heading(self.tr("What leaves this computer"))
        for line in self._sent(settings):
            self.add_words(line)
        if settings.update_address:
            asked = self.tr("{0}: asked for a newer version when you choose “Check for updates”. It learns no more.")
            self.add_words(asked.format(host_of(settings.update_address)))
        self.add_words(self.tr("Documents are read, indexed and searched on this computer only."))
        sent = QPushButton(self.tr("What was sent…"), self.inside)
        sent.clicked.connect(self.sent_requested)
        self.column.addWidget(sent, 0, Qt.AlignmentFlag.AlignLeft)
        self.add_heading(self.tr("What may be sent"))
        self._rules = PrivacyRules(settings.privacy, self.inside)
        self.column.addWidget(self._rules)
        self.add_heading(self.tr("What is remembered"))
        for history in histories:
            self.column.addLayout(self._clearing(history))
        kept = self.tr("Questions and answers are kept as conversations. Delete or archive them in their list.")
        self.add_words(kept)
        self.add_heading(self.tr("Data folder"))
        path = self.add_words(shown_path(bytes(home)))
        path.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        path.setAccessibleName(self.tr("Data folder"))
        self._size = self.add_words(self.tr("Its size is being measured …"))
        show = QPushButton(self.tr("Open the folder"), self.inside)
        show.clicked.connect(self.folder_requested)
        self.column.addWidget(show, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the rules of what may be sent."""
        return replace(settings, privacy=self._rules.options())

    def show_size(self, size: int) -> None:
        """Show the bytes of the data folder."""
        self._size.setText(
            self.tr("{0}: settings, indexes, conversations and logs. Your documents are elsewhere.").format(
                size_text(size)
            )
        )

    def _sent(self, settings: Settings) -> list[str]:
        hosts = endpoint_hosts(settings)
        if not any(used for _, used, _ in hosts):
            first = [self.tr("Nothing: the built-in model answers on this computer.")]
        else:
            first = []
        here = self.tr("{0}: this computer. Nothing leaves it.")
        used = self.tr("{0}: in use. It receives your questions and the passages that are read to answer them.")
        idle = self.tr("{0}: set up, not in use. It receives nothing until you choose it.")
        return first + [(here if local else used if active else idle).format(host) for host, active, local in hosts]

    def _clearing(self, history: History) -> QHBoxLayout:
        label = PlainLabel(history.name, "", self.inside)
        button = QPushButton(self.tr("Clear"), self.inside)
        button.setAccessibleDescription(history.name)
        button.setEnabled(history.count() > 0)
        undone: list[Callable[[], None]] = []

        def act() -> None:
            if undone:
                undone.pop()()
            else:
                undone.append(history.clear())
            button.setText(self.tr("Undo") if undone else self.tr("Clear"))

        button.clicked.connect(act)
        return in_row((label, 1), button)
