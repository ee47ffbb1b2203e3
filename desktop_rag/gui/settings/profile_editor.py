"""The fields of one endpoint: address, key, model, token limits, prices, and a connection test."""

from dataclasses import replace
from datetime import date

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from desktop_rag.gui.formatting import price_age
from desktop_rag.gui.settings.endpoint.connect_cards import ConnectionFields, ModelField, whole_address
from desktop_rag.gui.settings.endpoint.examination_dialog import ProbeReport
from desktop_rag.gui.settings.page_parts import Editors, FoldedFields
from desktop_rag.gui.theme.theme import GRID, set_margins, set_role
from desktop_rag.gui.widgets.fields import set_up_number, wrap_on_small_screen
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label, PlainLabel
from desktop_rag.llm.endpoint_presets import key_page
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import RANGES, Profile
from desktop_rag.text.display import printable

# The advanced fields of an endpoint, collapsed at first: sampling, reasoning effort, fast model and prices.

_EFFORTS = ("", "none", "minimal", "low", "medium", "high")
_UNSET = -0.05  # one step below zero is shown as “Not set”
_UNPRICED = -0.01
# Temperature and top-p as in the papers: LogicalRAG's agent, and the judge of its answers.
_PRESETS: tuple[tuple[str, float | None, float | None], ...] = (
    ("LogicalRAG: 0.6 / 0.95", 0.6, 0.95),
    ("Judge: 0.3", 0.3, None),
    ("", None, None),
)


class AdvancedFields(FoldedFields):
    """The fields; shown at first if one of them is set."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preset = QPushButton(self.tr("Presets"), self)
        self._temperature = self._number("temperature", self.tr("Temperature"), 0.05)
        self._top_p = self._number("top_p", self.tr("Top-p"), 0.05)
        self._effort = QComboBox(self)
        self._fast = QComboBox(self)
        self._prices = (
            self._number("price_in", self.tr("Input price per million tokens"), 0.1, _UNPRICED),
            self._number("price_out", self.tr("Output price per million tokens"), 0.1, _UNPRICED),
            self._number("fast_price_in", self.tr("Fast model: input price per million tokens"), 0.1, _UNPRICED),
            self._number("fast_price_out", self.tr("Fast model: output price per million tokens"), 0.1, _UNPRICED),
        )
        self._dated = self._caption("")
        self._set_up()
        self._arrange()
        about = self.tr("Sampling, reasoning effort, fast model and prices")
        self.fold(self.tr("More settings"), self.tr("Fewer settings"), about)

    def show_profile(self, profile: Profile) -> None:
        """Fill the fields, and show them if one is set."""
        super().show_profile(profile)
        self._dated.setText(price_age(profile))

    def applied_to(self, profile: Profile) -> Profile:
        """Return `profile` with the values of the fields, and the day on which its prices were changed."""
        edited = super().applied_to(profile)
        prices = _prices(edited)
        priced_on = profile.priced_on if prices == _prices(profile) else date.today().isoformat()
        return replace(edited, priced_on=priced_on if any(price is not None for price in prices) else "")

    def offer_models(self, models: list[str]) -> None:
        """Offer the models that the endpoint lists as the fast model; typed text is kept."""
        typed = self._fast.currentText()
        self._fast.clear()
        self._fast.addItems(models)
        self._fast.setEditText(typed)

    def show_for_file(self, *, of_file: bool) -> None:
        """Hide what a model file does not have: a second model, and prices; or show it again."""
        for number in range(self._first_of_endpoints, self.form.rowCount()):
            self.form.setRowVisible(number, not of_file)

    @Slot(float, float)
    def use_prices(self, price_in: float, price_out: float) -> None:
        """Show and use these prices of a million tokens."""
        for field, price in zip(self._prices, (price_in, price_out), strict=False):
            field.setValue(price)
        self.toggle.setChecked(True)

    def _number(self, path: str, name: str, step: float, unset: float = _UNSET) -> QDoubleSpinBox:
        most = RANGES[path][1]
        field = set_up_number(QDoubleSpinBox(self), name, unset, most, step, 180, unset=self.tr("Not set"))
        return self.editors.add(path, field)

    def _set_up(self) -> None:
        names = {"": self.tr("Not set"), "none": self.tr("Off"), "minimal": self.tr("Minimal")}
        names |= {"low": self.tr("Low"), "medium": self.tr("Medium"), "high": self.tr("High")}
        self._effort.setFixedWidth(180)
        self._effort.setAccessibleName(self.tr("Reasoning effort"))
        for effort in _EFFORTS:
            self._effort.addItem(names[effort], effort)
        self.editors.add("reasoning_effort", self._effort)
        self._fast.setEditable(True)
        self._fast.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._fast.setAccessibleName(self.tr("Fast model"))
        self._fast.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._fast.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if line := self._fast.lineEdit():
            line.setPlaceholderText(self.tr("None: rules choose how to answer"))
        self.editors.add("fast_model", self._fast)
        menu = QMenu(self._preset)
        for name, temperature, top_p in _PRESETS:
            menu.addAction(name or self.tr("Default of the model")).setData((temperature, top_p))
        menu.triggered.connect(self._on_preset_triggered)
        self._preset.setMenu(menu)
        self._preset.setAccessibleName(self.tr("Presets of temperature and top-p"))

    def _arrange(self) -> None:
        sampling = in_row(self._temperature, self._preset, STRETCH)
        form = self.form
        form.addRow(self.tr("Temperature"), sampling)
        form.addRow(self.tr("Top-p"), self._top_p)
        form.addRow(self.tr("Reasoning effort"), self._effort)
        self._first_of_endpoints = form.rowCount()
        form.addRow(self.tr("Fast model"), self._fast)
        note = self.tr("A cheaper model at the same address; the method “Automatic” uses it to sort the questions.")
        form.addRow("", self._caption(note))
        for field in self._prices:
            field.setFixedWidth(110)
        form.addRow(self.tr("Price: input, output"), in_row(*self._prices[:2], STRETCH))
        form.addRow(self.tr("Fast model's price"), in_row(*self._prices[2:], STRETCH))
        price_note = self.tr("Per million tokens, in any currency. If not set, only tokens are counted.")
        form.addRow("", self._caption(price_note))
        form.addRow("", self._dated)

    def _caption(self, text: str) -> PlainLabel:
        label = PlainLabel(text, "caption", self)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        return label

    @Slot(QAction)
    def _on_preset_triggered(self, action: QAction) -> None:
        temperature, top_p = action.data()
        for field, value in ((self._temperature, temperature), (self._top_p, top_p)):
            field.setValue(field.minimum() if value is None else value)


def _prices(profile: Profile) -> tuple[float | None, ...]:
    return profile.price_in, profile.price_out, profile.fast_price_in, profile.fast_price_out


class ProfileEditor(QWidget):
    """Edits one `Profile`; a stored key is never shown."""

    changed = Signal()  # any field was edited
    probe_requested = Signal(Profile, str)  # the Profile as edited and the typed key (empty: the stored one)
    examination_requested = Signal(Profile, str)  # find out what it can do; as `probe_requested`
    learned_requested = Signal(Profile)  # show what was learned about it
    probe_stopped = Signal()  # stop the running test

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile = Profile("", "", "")
        self._editors = Editors(self.changed)
        self._name = self._editors.add("name", self._line(self.tr("Name")))
        self._address = self._editors.add("base_url", self._line(self.tr("Address")))
        self._address.setPlaceholderText("http://localhost:11434/v1")
        self._key = self._line(self.tr("Key"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key_note = Label(parent=self)
        self._file = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._file.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._idle = self._number("idle_minutes", self.tr("Leaves the memory after"), 1, self.tr(" minutes"))
        self._idle.setSpecialValueText(self.tr("Never"))
        self._model = ModelField(self)
        self._report = ProbeReport(self)
        self._tested = ""  # the model that the report is about
        self._window = self._number("context_window", self.tr("Context window"), 1024, self.tr(" tokens"))
        self._output = self._number("max_output", self.tr("Longest answer"), 1024, self.tr(" tokens"))
        self._connection = ConnectionFields(self)
        self._advanced = AdvancedFields(self)
        self._arrange()
        self._connect()

    def show_profile(self, profile: Profile, typed_key: str = "") -> None:
        """Fill the fields; `typed_key` was typed earlier in this dialog and is not saved yet."""
        self._profile = profile
        self._show_rows(of_file=bool(profile.model_file))
        self._file.show_text(printable(profile.model_file))
        self._editors.show(profile)
        self._model.show_model(profile.model)
        self._key.setText(typed_key)
        self._advanced.show_profile(profile)
        self._connection.show_profile(profile)
        self._report.clear()

    def profile(self) -> Profile:
        """Return the profile with the values of the fields."""
        model = self._profile.model if self._profile.model_file else self._model.model()
        folded = self._connection.applied_to(self._advanced.applied_to(self._profile))
        return replace(self._editors.applied_to(folded), model=model)

    def typed_key(self) -> str:
        """Return the typed key; empty to keep the stored one."""
        return self._key.text().strip()

    def show_key_state(self, *, stored: bool, notice: str) -> None:
        """Show whether a key is stored, and `notice`, or else where a new one will be stored."""
        self._key.setPlaceholderText(
            self.tr("Stored; type to replace it") if stored else self.tr("Only if it asks for one")
        )
        note = notice or self.tr("Stored in this computer's keychain, never in a file.")
        page = "" if stored else key_page(self._address.text())
        self._key_note.setText(self.tr("Keys are made at {0}. {1}").format(page, note) if page else note)

    def show_probe(self, result: ProbeResult) -> None:
        """Show the test result and offer the models and context window it reports; ignored if no test is running."""
        if not self._report.is_waiting():
            return
        if result.models:
            self._model.offer(result.models)
            self._advanced.offer_models([model.id for model in result.models])
        self._tested = self._model.model()
        self._report.show_result(result, self._window.value(), is_chosen=bool(self._tested))
        if result.ok and result.address and result.address != self._address.text().strip():
            self._address.setText(result.address)
            self.changed.emit()

    def test(self) -> None:
        """Test the connection, as its button does."""
        self._report.test()

    @Slot()
    def _on_model_changed(self) -> None:
        if self._model.model() != self._tested and not self._report.is_waiting():
            self._report.clear()  # it is about another model, or asks for one

    def focus_name(self) -> None:
        """Move the keyboard focus to the name and select it."""
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)
        self._name.selectAll()

    def focus_address(self) -> None:
        """Move the keyboard focus to the address."""
        self._address.setFocus(Qt.FocusReason.OtherFocusReason)

    def _line(self, name: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setAccessibleName(name)
        return field

    def _number(self, path: str, name: str, step: int, suffix: str) -> QSpinBox:
        field = set_up_number(QSpinBox(self), name, *RANGES[path], step, 180, suffix=suffix)
        return self._editors.add(path, field)

    def _show_rows(self, *, of_file: bool) -> None:
        """Show the fields of a model file, or those of an endpoint."""
        for field in (self._file, self._idle, self._about_file):
            self._form.setRowVisible(field, of_file)
        for row in (self._address, self._key_rows, self._model, self._report, self._connection):
            self._form.setRowVisible(row, not of_file)
        self._advanced.show_for_file(of_file=of_file)

    def _arrange(self) -> None:
        set_role(self._key_note, "caption")
        self._key_note.setWordWrap(True)
        key = self._key_rows = in_column(self._key, self._key_note, spacing=GRID // 2)
        form = self._form = QFormLayout(self)
        set_margins(form, 0, 0, GRID, 0)
        form.setHorizontalSpacing(2 * GRID)
        form.setVerticalSpacing(GRID)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        wrap_on_small_screen(form, self)
        form.addRow(self.tr("Name"), self._name)
        form.addRow(self.tr("Address"), self._address)
        form.addRow(self.tr("Key"), key)
        form.addRow(self.tr("File"), self._file)
        form.addRow(self.tr("Model"), self._model)
        form.addRow("", self._report)
        form.addRow(self.tr("Context window"), self._window)
        form.addRow(self.tr("Longest answer"), self._output)
        form.addRow(self._idle.accessibleName(), self._idle)
        self._about_file = PlainLabel(
            self.tr(
                "The model is loaded with the first question and runs in a process of its own, which ends with the "
                "program. Nothing leaves this computer. A larger context needs more memory; what does not fit is "
                "made smaller."
            ),
            "caption",
            self,
        )
        self._about_file.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        form.addRow("", self._about_file)
        form.addRow(self._connection)
        form.addRow(self._advanced)

    def _connect(self) -> None:
        self._key.textEdited.connect(self.changed)
        self._address.editingFinished.connect(self._on_address_entered)
        self._model.changed.connect(self.changed)
        self._model.changed.connect(self._on_model_changed)
        self._model.prices_accepted.connect(self._advanced.use_prices)
        self._advanced.changed.connect(self.changed)
        self._connection.changed.connect(self.changed)
        self._connection.learned_requested.connect(self._on_learned_requested)
        self._report.test_requested.connect(self._on_test_requested)
        self._report.examination_requested.connect(self._on_examination_requested)
        self._report.stop_requested.connect(self.probe_stopped)
        self._report.window_accepted.connect(self._window.setValue)

    @Slot()
    def _on_address_entered(self) -> None:
        if (whole := whole_address(self._address.text())) != self._address.text():
            self._address.setText(whole)
            self.changed.emit()

    def _on_test_requested(self) -> None:
        self.probe_requested.emit(self.profile(), self.typed_key())

    def _on_examination_requested(self) -> None:
        self.examination_requested.emit(self.profile(), self.typed_key())

    def _on_learned_requested(self) -> None:
        self.learned_requested.emit(self.profile())
