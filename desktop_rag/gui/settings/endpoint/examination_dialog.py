"""What an endpoint can do, found out while the dialog is open."""

from collections.abc import Generator, Iterator

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label, NoteLabel, PlainLabel
from desktop_rag.gui.widgets.remark_list import RemarkList, lay_out_remarks
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.doctor import Finding, Rating
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits, usual_traits
from desktop_rag.llm.probe import ProbeResult
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


# What was learned about an endpoint from its answers and refusals, with a button to forget it.


class LearnedDialog(BoundedDialog):
    """Lists the traits of a profile's endpoint and model."""

    def __init__(self, profile: Profile, memory: EndpointMemory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile, self._memory = profile, memory
        self._reader: StreamWorker[EndpointTraits] = StreamWorker("traits", self.show_traits, self)
        self._state = PlainLabel("", "muted", self)
        self._remarks = RemarkList(self)
        self._forget = QPushButton(self.tr("Forget it"), self)
        self.setWindowTitle(self.tr("Learned about “{0}”").format(one_line(profile.name)))
        self.resize(560, 380)
        self._arrange()
        self._forget.clicked.connect(self._on_forget_clicked)

    def read(self) -> None:
        """Load the traits learned about the endpoint, in the background."""
        memory, profile = self._memory, self._profile

        def work(_: Stop) -> Generator[EndpointTraits]:
            yield memory.recall(profile)

        self._reader.start(work)

    @Slot(object)
    def show_traits(self, traits: EndpointTraits) -> None:
        """List `traits`, those that were learned first."""
        known = traits != usual_traits(self._profile)
        self._state.setText(
            self.tr("From its answers and refusals; used in every request to it.")
            if known
            else self.tr("Nothing yet: requests are as most models take them, until this one refuses something.")
        )
        self._remarks.show_remarks([ExplanationSentence(text, Bearing.PLAIN) for text in self._sentences(traits)])
        self._forget.setEnabled(known)

    def done(self, result: int) -> None:
        """Stop reading and close."""
        self._reader.close()
        super().done(result)

    def _arrange(self) -> None:
        self._state.setWordWrap(True)
        self._remarks.setAccessibleName(self.tr("Learned"))
        self._forget.setEnabled(False)
        lay_out_remarks(self, self._state, self._remarks, self._forget, close_button(self, self.tr("Close")))

    @Slot()
    def _on_forget_clicked(self) -> None:
        memory, profile = self._memory, self._profile

        def work(_: Stop) -> Generator[EndpointTraits]:
            memory.forget(profile)
            yield memory.recall(profile)

        self._reader.start(work)

    def _sentences(self, traits: EndpointTraits) -> Iterator[str]:
        """Yield a sentence for each trait that is not as in most endpoints, and for what was seen."""
        usual = EndpointTraits()
        if traits.wants_responses:
            yield self.tr("It is spoken to by the Responses API, which it asked for.")
        yield from self._tool_sentences(traits)
        if traits.judges is not None:
            yield (
                self.tr("Its yes or no tells plain statements apart: it is asked about those of its answers.")
                if traits.judges
                else self.tr("Its yes or no tells nothing about statements, or how sure it is.")
            )
        if traits.context_window:
            tokens = counted(self.tr("%Ln token(s)", "", traits.context_window), traits.context_window)
            yield self.tr("Its context window: {0}.").format(tokens)
        if traits.max_output:
            yield self.tr("Its longest answer: {0} tokens.").format(QLocale().toString(traits.max_output))
        if traits.dropped_fields:
            yield self.tr("Fields it refused: {0}.").format(", ".join(traits.dropped_fields))
        if traits.length_field != usual.length_field:
            yield self.tr("The longest answer is sent as {0}.").format(traits.length_field)
        if traits.effort and traits.effort != self._profile.reasoning_effort:
            yield self.tr("The reasoning effort that it accepts: {0}.").format(traits.effort)
        yield from self._history_sentences(traits)
        if traits.reasoning_field:
            yield self.tr("Its thinking comes in the field {0}.").format(one_line(traits.reasoning_field))
        yield from self._count_sentences(traits)
        if traits.stop_reasons:
            yield self.tr("Reasons it gave for an end: {0}.").format(one_line(", ".join(traits.stop_reasons)))

    def _tool_sentences(self, traits: EndpointTraits) -> Iterator[str]:
        if traits.parameters:
            billions = QLocale().toString(traits.parameters / 1e9, "f", 1)
            yield self.tr("It has {0} billion parameters.").format(billions)
        if traits.searches_well is not None:
            yield (
                self.tr("Examined: it searches by itself.")
                if traits.searches_well
                else self.tr("Examined: the program searches for it, and it says what the passages say.")
            )
        elif traits.is_small():
            yield self.tr("It is small: the program searches for it, and it says what the passages say.")
        elif traits.tool_use() is ToolUse.NONE:
            yield self.tr("Its searches led to no answer: the program searches for it. It is tried again after a day.")
        elif traits.refuses_tools():
            yield self.tr(
                "It refused tools: calls are asked for as JSON in its text. Tools are offered again after a day."
            )
        elif traits.tool_use() is ToolUse.PROMPTED:
            yield self.tr("It makes no calls: they are asked for as JSON in its text. It is tried again after a day.")
        elif traits.parallel_calls:
            yield self.tr("It calls tools, several in one turn.")
        elif traits.calls_tools:
            yield self.tr("It calls tools.")

    def _count_sentences(self, traits: EndpointTraits) -> Iterator[str]:
        if traits.reports_usage is not None:
            yield (
                self.tr("It reports the tokens of each request.")
                if traits.reports_usage
                else self.tr("It reports no tokens; they are estimated.")
            )
        if traits.whole_prompt:
            tokens = QLocale().toString(traits.whole_prompt)
            yield self.tr("A request of {0} tokens arrived whole: it repeated a code at the beginning.").format(tokens)
        if traits.token_ratio:
            share = QLocale().toString(100 * traits.token_ratio, "f", 0)
            yield self.tr("It counts {0} % of the tokens that are estimated; estimates are corrected by that.").format(
                share
            )

    def _history_sentences(self, traits: EndpointTraits) -> Iterator[str]:
        told = (
            (not traits.system_role, self.tr("Instructions are sent with the first question.")),
            (not traits.user_after_tool, self.tr("A message of yours is added to the tool's result before it.")),
            (traits.alternates, self.tr("Messages of one side are joined: the sides must take turns.")),
            (traits.tools_with_results, self.tr("Tools are described as long as their results are there.")),
            (traits.named_results, self.tr("Results of tools carry the tool's name.")),
            (not traits.null_content, self.tr("Messages without text are sent with an empty one.")),
            (not traits.echo_reasoning, self.tr("Its thinking is not sent back.")),
            (traits.demand_reasoning, self.tr("Its thinking is sent back with every message.")),
        )
        return (text for holds, text in told if holds)


# The button that tests an endpoint, and the result of the test in plain sentences.


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
        in_column(
            in_row(self._test, self._examine, STRETCH),
            self._headline,
            self._details,
            (self._use_window, LEFT),
            on=self,
            spacing=GRID // 2,
            margins=(0, 0, 0, GRID),
        )
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
