"""The button that tests an endpoint, and the result of the test in plain sentences."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.text.display import one_line


class ProbeReport(QWidget):
    """Requests a test, shows that it is running, and shows its result."""

    test_requested = Signal()  # test the endpoint with the current fields
    examination_requested = Signal()  # find out what the endpoint can do
    stop_requested = Signal()  # stop the running test
    window_accepted = Signal(int)  # use the context window (tokens) that the endpoint reports

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._testing = False
        self._window = 0
        self._test = QPushButton(self)
        self._examine = QPushButton(self.tr("What can it do?"), self)
        self._headline = Label(parent=self)
        self._details = Label(parent=self)
        self._use_window = QPushButton(self)
        set_role(self._use_window, "link")
        set_role(self._details, "caption")
        for label in (self._headline, self._details):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self._test)
        row.addWidget(self._examine)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, GRID)
        layout.setSpacing(GRID // 2)
        layout.addLayout(row)
        layout.addWidget(self._headline)
        layout.addWidget(self._details)
        layout.addWidget(self._use_window, 0, Qt.AlignmentFlag.AlignLeft)
        self.clear()
        self._test.clicked.connect(self._on_test_clicked)
        self._examine.clicked.connect(self.examination_requested)
        self._use_window.clicked.connect(self._on_use_clicked)

    def clear(self) -> None:
        """Remove the last result; a running test counts as stopped."""
        self._testing = False
        self._test.setText(self.tr("Test connection"))
        self._show("", "", ())
        self._use_window.hide()

    def test(self) -> None:
        """Ask for a test, unless one is running."""
        if not self._testing:
            self._on_test_clicked()

    def is_waiting(self) -> bool:
        """Return whether a test is running."""
        return self._testing

    def show_result(self, result: ProbeResult, window: int, *, is_chosen: bool) -> None:
        """Show the result, as a success if a model `is_chosen`; `window` is the context window in the profile."""
        self.clear()
        headline, *details = map(sentence, result.sentences or ("",))
        if result.sentences and headline == result.sentences[0]:  # the title of an error, with a full stop
            headline = sentence(headline.removesuffix(".")) + "." * headline.endswith(".")
        role = "trouble" if not result.ok else "success" if is_chosen else "heading"
        self._show(headline, role, tuple(details))
        self._window = result.context_window
        self._use_window.setText(counted(self.tr("Use %Ln token(s)", "", result.context_window), result.context_window))
        self._use_window.setVisible(result.context_window not in (0, window))

    def _show(self, headline: str, role: str, details: tuple[str, ...]) -> None:
        set_role(self._headline, role)
        self._headline.setText(one_line(headline))
        self._headline.setAccessibleName(one_line(headline))
        self._headline.setVisible(bool(headline))
        self._details.setText("\n".join(one_line(detail) for detail in details))
        self._details.setVisible(bool(details))

    def _on_test_clicked(self) -> None:
        if self._testing:
            self.clear()
            self.stop_requested.emit()
            return
        self._testing = True
        self._use_window.hide()
        self._test.setText(self.tr("Stop testing"))
        self._show(self.tr("Testing the connection…"), "muted", ())
        self.test_requested.emit()

    def _on_use_clicked(self) -> None:
        self._use_window.hide()
        self.window_accepted.emit(self._window)
