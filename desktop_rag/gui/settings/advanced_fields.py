"""The advanced fields of an endpoint, collapsed at first: sampling, reasoning effort, fast model and prices."""

from dataclasses import replace
from datetime import date

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from desktop_rag.gui.formatting import price_age
from desktop_rag.gui.settings.page_parts import FoldedFields
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import set_up_number
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import Profile

_EFFORTS = ("", "none", "minimal", "low", "medium", "high")
_UNSET = -0.05  # one step below zero is shown as “Not set”
_HIGHEST_PRICE = 10_000.0  # for a million tokens
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
        self._temperature = self._number(self.tr("Temperature"), 2.0, _UNSET, 0.05)
        self._top_p = self._number(self.tr("Top-p"), 1.0, _UNSET, 0.05)
        self._effort = QComboBox(self)
        self._fast = QComboBox(self)
        self._prices = (
            self._number(self.tr("Input price per million tokens"), _HIGHEST_PRICE, -0.01, 0.1),
            self._number(self.tr("Output price per million tokens"), _HIGHEST_PRICE, -0.01, 0.1),
            self._number(self.tr("Fast model: input price per million tokens"), _HIGHEST_PRICE, -0.01, 0.1),
            self._number(self.tr("Fast model: output price per million tokens"), _HIGHEST_PRICE, -0.01, 0.1),
        )
        self._dated = self._caption("")
        self._set_up()
        self._arrange()
        about = self.tr("Sampling, reasoning effort, fast model and prices")
        self.fold(self.tr("More settings"), self.tr("Fewer settings"), about)

    def show_profile(self, profile: Profile) -> None:
        """Fill the fields, and show them if one is set."""
        self._set(self._temperature, profile.temperature)
        self._set(self._top_p, profile.top_p)
        self._effort.setCurrentIndex(max(0, self._effort.findData(profile.reasoning_effort)))
        self._fast.setEditText(profile.fast_model)
        prices = _prices(profile)
        for field, price in zip(self._prices, prices, strict=True):
            self._set(field, price)
        self._dated.setText(price_age(profile))
        named = (profile.temperature, profile.top_p, *prices)
        used = any(value is not None for value in named) or bool(profile.reasoning_effort or profile.fast_model)
        self.toggle.setChecked(used)

    def apply_to(self, profile: Profile) -> Profile:
        """Return `profile` with the values of the fields."""
        prices = tuple(_value(field) for field in self._prices)
        price_in, price_out, fast_price_in, fast_price_out = prices
        priced_on = profile.priced_on if prices == _prices(profile) else date.today().isoformat()
        return replace(
            profile,
            temperature=_value(self._temperature),
            top_p=_value(self._top_p),
            reasoning_effort=str(self._effort.currentData()),
            fast_model=self._fast.currentText().strip(),
            price_in=price_in,
            price_out=price_out,
            fast_price_in=fast_price_in,
            fast_price_out=fast_price_out,
            priced_on=priced_on if any(price is not None for price in prices) else "",
        )

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

    def _number(self, name: str, most: float, unset: float, step: float) -> QDoubleSpinBox:
        field = set_up_number(QDoubleSpinBox(self), name, unset, most, step, 180, unset=self.tr("Not set"))
        field.valueChanged.connect(self.changed)
        return field

    def _set(self, field: QDoubleSpinBox, value: float | None) -> None:
        field.setValue(field.minimum() if value is None else value)

    def _set_up(self) -> None:
        names = {"": self.tr("Not set"), "none": self.tr("Off"), "minimal": self.tr("Minimal")}
        names |= {"low": self.tr("Low"), "medium": self.tr("Medium"), "high": self.tr("High")}
        self._effort.setFixedWidth(180)
        self._effort.setAccessibleName(self.tr("Reasoning effort"))
        for effort in _EFFORTS:
            self._effort.addItem(names[effort], effort)
        self._effort.activated.connect(self.changed)
        self._fast.setEditable(True)
        self._fast.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._fast.setAccessibleName(self.tr("Fast model"))
        self._fast.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._fast.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if line := self._fast.lineEdit():
            line.setPlaceholderText(self.tr("None: rules choose how to answer"))
        self._fast.editTextChanged.connect(self.changed)
        menu = QMenu(self._preset)
        for name, temperature, top_p in _PRESETS:
            menu.addAction(name or self.tr("Default of the model")).setData((temperature, top_p))
        menu.triggered.connect(self._on_preset_triggered)
        self._preset.setMenu(menu)
        self._preset.setAccessibleName(self.tr("Presets of temperature and top-p"))

    def _arrange(self) -> None:
        sampling = QHBoxLayout()
        sampling.setSpacing(GRID)
        sampling.addWidget(self._temperature)
        sampling.addWidget(self._preset)
        sampling.addStretch(1)
        form = self.form
        form.addRow(self.tr("Temperature"), sampling)
        form.addRow(self.tr("Top-p"), self._top_p)
        form.addRow(self.tr("Reasoning effort"), self._effort)
        self._first_of_endpoints = form.rowCount()
        form.addRow(self.tr("Fast model"), self._fast)
        note = self.tr("A cheaper model at the same address; the method “Automatic” uses it to sort the questions.")
        form.addRow("", self._caption(note))
        own, fast = QHBoxLayout(), QHBoxLayout()
        for row, fields in ((own, self._prices[:2]), (fast, self._prices[2:])):
            row.setSpacing(GRID)
            for field in fields:
                field.setFixedWidth(110)
                row.addWidget(field)
            row.addStretch(1)
        form.addRow(self.tr("Price: input, output"), own)
        form.addRow(self.tr("Fast model's price"), fast)
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
        self._set(self._temperature, temperature)
        self._set(self._top_p, top_p)


def _prices(profile: Profile) -> tuple[float | None, ...]:
    return profile.price_in, profile.price_out, profile.fast_price_in, profile.fast_price_out


def _value(field: QDoubleSpinBox) -> float | None:
    return None if field.value() < 0 else round(field.value(), 2)
