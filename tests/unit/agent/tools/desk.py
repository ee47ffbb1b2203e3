"""Calls the tools of a toolkit one after the other with a shared context, as a run does."""

import json

from desktop_rag.agent.citations.references import References
from desktop_rag.agent.run.tool_dispatch import ToolDispatcher
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.tools.tool import ToolContext, ToolResult
from desktop_rag.llm.chat import ToolCall
from desktop_rag.retrieval.api import Retriever, Scope
from desktop_rag.stop import Stop


class Desk:
    def __init__(self, library: Retriever, kit: str = "full") -> None:
        chosen = toolkit(kit)
        references = References(1, (), chosen.counts_from)
        self.context = ToolContext(library, Scope(), references, lambda text: len(text) // 4 + 1)
        self.context.counts_from = chosen.counts_from
        self.calls = ToolDispatcher(chosen, self.context)
        self._count = 0

    def call(self, name: str, **arguments: object) -> ToolResult:
        return self.raw(name, json.dumps(arguments))

    def raw(self, name: str, arguments: str) -> ToolResult:
        self._count += 1
        return self.calls.run(ToolCall(str(self._count), name, arguments), Stop())
