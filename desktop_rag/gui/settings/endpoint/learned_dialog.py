"""What was learned about an endpoint from its answers and refusals, with a button to forget it."""

from collections.abc import Generator, Iterator

from PySide6.QtCore import QLocale, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.why.remark_list import RemarkList, lay_out_remarks
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits, usual_traits
from desktop_rag.retrieval.explain.explanation import Bearing, ExplanationSentence
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line


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
