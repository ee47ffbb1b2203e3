"""What an endpoint can do, found out while the dialog is open."""

from collections.abc import Generator

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.why.remark_list import RemarkList, lay_out_remarks
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.plain_labels import NoteLabel
from desktop_rag.llm.doctor import Finding, Rating
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.paths import endpoints_file
from desktop_rag.retrieval.explain.explanation import Bearing, ExplanationSentence
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line

_BEARINGS = {Rating.GOOD: Bearing.HELPS, Rating.LIMITED: Bearing.PLAIN, Rating.BAD: Bearing.HINDERS}


class ExaminationDialog(BoundedDialog):
    """Examines an endpoint in the background and lists the findings as they come; closing it stops."""

    def __init__(self, profile: Profile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile = profile
        self._findings: list[Finding] = []
        self._worker: StreamWorker[Finding] = StreamWorker("doctor", self.add_finding, self)
        self._state = NoteLabel("muted", self)
        self._remarks = RemarkList(self)
        self._copy = QPushButton(self.tr("Copy"), self)
        self.setWindowTitle(self.tr("What can “{0}” do?").format(one_line(profile.name)))
        self.resize(560, 420)
        self._arrange()
        self._copy.clicked.connect(self._on_copy_clicked)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self._on_failed)

    def start(self, key: str, credentials: Credentials) -> None:
        """Begin with the typed `key`, or the stored one."""
        profile = self._profile
        self._state.setText(self.tr("A few short requests are sent. Local models may take a minute…"))

        def work(stop: Stop) -> Generator[Finding]:
            from desktop_rag.agent.run.endpoint_trial import examine_with_sample

            given = key or credentials.get(profile.name)
            yield from examine_with_sample(profile, given, stop, EndpointMemory(endpoints_file()))

        self._worker.start(work)

    def add_finding(self, finding: Finding) -> None:
        """Show one more finding."""
        self._findings.append(finding)
        self._remarks.show_remarks([remark for each in self._findings for remark in self._remarks_of(each)])

    def done(self, result: int) -> None:
        """Stop and close."""
        self._worker.close()
        super().done(result)

    def _arrange(self) -> None:
        self._remarks.setAccessibleName(self.tr("Findings"))
        lay_out_remarks(self, self._state, self._remarks, self._copy, close_button(self, self.tr("Close")))

    @Slot()
    def _on_finished(self) -> None:
        lacking = any(finding.rating is Rating.BAD for finding in self._findings)
        done = self.tr("Done. Something is missing.") if lacking else self.tr("Done. It can do what the program needs.")
        self._state.setText(done if self._findings else "")

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, DesktopRagError):
            self.add_finding(Finding(error.title, Rating.BAD, str(error)))

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self._remarks.sentences()))

    def _remarks_of(self, finding: Finding) -> tuple[ExplanationSentence, ...]:
        names = {
            "Connection": self.tr("Connection"),
            "Context window": self.tr("Context window"),
            "Streaming": self.tr("Streaming"),
            "Token count": self.tr("Token count"),
            "Tools": self.tr("Tools"),
            "Parallel calls": self.tr("Parallel calls"),
            "Long prompts": self.tr("Long prompts"),
            "Speed": self.tr("Speed"),
            "Method": self.tr("Method"),
            "Answer": self.tr("Answer"),
            "Time": self.tr("Time"),
        }
        about = names.get(finding.about, sentence(finding.about))
        told = ExplanationSentence(f"{about}: {sentence(finding.sentence)}", _BEARINGS[finding.rating])
        return (told, ExplanationSentence(sentence(finding.remedy))) if finding.remedy else (told,)
