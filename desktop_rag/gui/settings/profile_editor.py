"""The fields of one endpoint: address, key, model, token limits, prices, and a connection test."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.settings.advanced_fields import AdvancedFields
from desktop_rag.gui.settings.endpoint.connection_fields import ConnectionFields, whole_address
from desktop_rag.gui.settings.endpoint.model_field import ModelField
from desktop_rag.gui.settings.endpoint.probe_report import ProbeReport
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.fields import set_up_number, wrap_on_small_screen
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label, PlainLabel
from desktop_rag.llm.endpoint_presets import key_page
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile
from desktop_rag.text.display import printable


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
        self._name = self._line(self.tr("Name"))
        self._address = self._line(self.tr("Address"))
        self._address.setPlaceholderText("http://localhost:11434/v1")
        self._key = self._line(self.tr("Key"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key_note = Label(parent=self)
        self._file = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        self._file.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._idle = self._minutes()
        self._model = ModelField(self)
        self._report = ProbeReport(self)
        self._tested = ""  # the model that the report is about
        self._window = self._tokens(self.tr("Context window"), 512, 10_000_000)
        self._output = self._tokens(self.tr("Longest answer"), 64, 1_000_000)
        self._connection = ConnectionFields(self)
        self._advanced = AdvancedFields(self)
        self._arrange()
        self._connect()

    def show_profile(self, profile: Profile, typed_key: str = "") -> None:
        """Fill the fields; `typed_key` was typed earlier in this dialog and is not saved yet."""
        self._profile = profile
        self._show_rows(of_file=bool(profile.model_file))
        self._file.show_text(printable(profile.model_file))
        self._idle.setValue(profile.idle_minutes)
        self._name.setText(profile.name)
        self._address.setText(profile.base_url)
        self._model.show_model(profile.model)
        self._key.setText(typed_key)
        self._window.setValue(profile.context_window)
        self._output.setValue(profile.max_output)
        self._advanced.show_profile(profile)
        self._connection.show_profile(profile)
        self._report.clear()

    def profile(self) -> Profile:
        """Return the profile with the values of the fields."""
        return replace(
            self._connection.apply_to(self._advanced.apply_to(self._profile)),
            name=self._name.text().strip(),
            base_url=self._address.text().strip(),
            model=self._profile.model if self._profile.model_file else self._model.model(),
            idle_minutes=self._idle.value(),
            context_window=self._window.value(),
            max_output=self._output.value(),
        )

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

    def _tokens(self, name: str, least: int, most: int) -> QSpinBox:
        return set_up_number(QSpinBox(self), name, least, most, 1024, 180, suffix=self.tr(" tokens"))

    def _minutes(self) -> QSpinBox:
        name, suffix, never = self.tr("Leaves the memory after"), self.tr(" minutes"), self.tr("Never")
        return set_up_number(QSpinBox(self), name, 0, 1_440, 1, 180, suffix=suffix, unset=never)

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
        key = self._key_rows = QVBoxLayout()
        key.setSpacing(GRID // 2)
        key.addWidget(self._key)
        key.addWidget(self._key_note)
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
        for line in (self._name, self._address, self._key):
            line.textEdited.connect(self.changed)
        self._address.editingFinished.connect(self._on_address_entered)
        self._model.changed.connect(self.changed)
        self._model.changed.connect(self._on_model_changed)
        self._model.prices_accepted.connect(self._advanced.use_prices)
        for spin in (self._window, self._output, self._idle):
            spin.valueChanged.connect(self.changed)
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
