"""Carries out the tool calls of a run; whatever the model sends, it gets a text back."""

import json
from dataclasses import dataclass, field

from desktop_rag.agent.toolkits import Toolkit
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, parse_arguments
from desktop_rag.agent.tools.tool import Tool, ToolContext, ToolResult, failure, shorten
from desktop_rag.llm.chat import ToolCall
from desktop_rag.stop import Stop

NOT_RUN = "Not run: the limit of this question is reached. Answer from what you have."
STOPPED = "Not finished: the person stopped the run."


@dataclass(slots=True)
class Calls:
    """The calls made so far; `repeats` counts calls in a row that had been made before."""

    toolkit: Toolkit
    context: ToolContext
    repeats: int = 0
    _made: dict[str, str] = field(default_factory=dict)  # what was asked, to the id of the call

    def summarize(self, call: ToolCall) -> str:
        """Say for a person what `call` is about to do, even if it cannot be done."""
        try:
            tool, arguments = self._read(call)
            return tool.summarize(arguments, self.context)
        except ArgumentError:
            return f"Calling {shorten(call.name, 40) or 'a tool'}"

    def run(self, call: ToolCall, stop: Stop) -> ToolResult:
        """Carry out `call` and note what it showed; raises only `LibraryError`, `ProcessError` and `Stopped`."""
        try:
            tool, arguments = self._read(call)
            asked = f"{tool.spec.name} {json.dumps(arguments, sort_keys=True).casefold()}"
            if asked in self._made:
                self.repeats += 1
                return _repeated()
            result = tool.run(arguments, self.context, stop)
        except ArgumentError as error:
            return failure(str(error), "The call could not be understood")
        self.repeats = 0
        if not result.failed:
            self._made[asked] = call.id
        self._note(result, call)
        return result

    def forget(self, emptied: frozenset[str]) -> None:
        """Allow again what left the context together with the results of these calls."""
        self._made = {asked: call for asked, call in self._made.items() if call not in emptied}
        chunks = self.context.chunks_in_context
        for chunk in [chunk for chunk, call in chunks.items() if call in emptied]:
            del chunks[chunk]

    def _read(self, call: ToolCall) -> tuple[Tool, Arguments]:
        tool = self.toolkit.tool(call.name.strip())
        if tool is None:
            names = ", ".join(spec.name for spec in self.toolkit.specs())
            raise ArgumentError(f'There is no tool "{shorten(call.name)}". The tools are: {names}.')
        return tool, parse_arguments(call.arguments, tool.parameters)

    def _note(self, result: ToolResult, call: ToolCall) -> None:
        for shown in result.evidence:
            reference = self.context.references.get(shown.reference)
            if reference:
                self.context.reading.record(reference.content, shown.first_line, shown.lines)
        self.context.chunks_in_context.update(dict.fromkeys(result.chunks, call.id))


def _repeated() -> ToolResult:
    return ToolResult(
        "You have already made this very call; its result stands above. Try other words, another mode, read or open "
        "a result, or answer.",
        "Already done",
    )
