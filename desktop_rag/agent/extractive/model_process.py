"""The built-in model in a process of its own: in a thread, its CPU-bound Python would make the window stall.

The child (`main`) answers one turn at a time; `ExtractiveModelClient` is the model that asks it.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.agent.extractive.built_in_model import AskedCell, BuiltInModel, ExtractiveTurn, StatedCell
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    Evidence,
    Message,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop_rag.processes.child import Child
from desktop_rag.processes.confinement.confine import confine_this_process
from desktop_rag.processes.connection import parent_connection
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.processes.service import Service, ServiceClient, remote_method
from desktop_rag.processes.serving import serve
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message of the conversation; one field is set. The wire has no union of classes."""

    system: SystemMessage | None = None
    user: UserMessage | None = None
    assistant: AssistantMessage | None = None
    tool: ToolMessage | None = None

    @classmethod
    def of(cls, message: Message) -> "SentMessage":
        """Wrap a message."""
        match message:
            case SystemMessage():
                return cls(system=message)
            case UserMessage():
                return cls(user=message)
            case AssistantMessage():
                return cls(assistant=message)
            case ToolMessage():
                return cls(tool=message)

    @property
    def message(self) -> Message:
        """Return the message."""
        return self.system or self.user or self.assistant or self.tool or SystemMessage("")


class ExtractiveRequests(Protocol):
    """The requests of the process."""

    def turn(self, messages: tuple[SentMessage, ...], tools: tuple[ToolSpec, ...], stop: Stop) -> ExtractiveTurn:
        """Return the built-in model's next turn."""

    def key_sentences(self, evidence: tuple[Evidence, ...], most: int, stop: Stop) -> list[Evidence]:
        """Return the sentences that say most about passages."""

    def stated_cells(
        self, asked: tuple[AskedCell, ...], document: tuple[Evidence, ...], stop: Stop
    ) -> list[StatedCell]:
        """Return the cells of one document."""

    def common_labels(self, documents: tuple[tuple[Evidence, ...], ...], stop: Stop) -> list[tuple[str, int]]:
        """Return the labels and headings that documents share."""


class _Turns:
    """Answers the requests with the built-in model of this process."""

    def __init__(self) -> None:
        from desktop_rag.agent.extractive.extractive_model import ExtractiveModel

        self._model = model = ExtractiveModel()
        self.key_sentences, self.stated_cells = model.key_sentences, model.stated_cells
        self.common_labels = model.common_labels

    def turn(self, messages: tuple[SentMessage, ...], tools: tuple[ToolSpec, ...], stop: Stop) -> ExtractiveTurn:
        return self._model.turn(ChatRequest([sent.message for sent in messages], tools), stop)


class _TurnClient(ServiceClient):
    turn = remote_method(ExtractiveRequests.turn)
    key_sentences = remote_method(ExtractiveRequests.key_sentences)
    stated_cells = remote_method(ExtractiveRequests.stated_cells)
    common_labels = remote_method(ExtractiveRequests.common_labels)


class ExtractiveModelClient(BuiltInModel):
    """The built-in model in a child process, which starts at the first turn, and again after a crash."""

    def __init__(self) -> None:
        self._client = _TurnClient(Remote(_start))

    def turn(self, request: ChatRequest, stop: Stop) -> ExtractiveTurn:
        """Return the next turn, computed by the child."""
        return self._client.turn(tuple(map(SentMessage.of, request.messages)), tuple(request.tools), stop)

    def key_sentences(self, evidence: Sequence[Evidence], most: int, stop: Stop) -> list[Evidence]:
        """Return the sentences that say most about passages, chosen by the child."""
        return self._client.key_sentences(tuple(evidence), most, stop)

    def stated_cells(self, asked: Sequence[AskedCell], document: Sequence[Evidence], stop: Stop) -> list[StatedCell]:
        """Return the cells of one document, found by the child."""
        return self._client.stated_cells(tuple(asked), tuple(document), stop)

    def common_labels(self, documents: Sequence[Sequence[Evidence]], stop: Stop) -> list[tuple[str, int]]:
        """Return the labels that documents share, counted by the child."""
        return self._client.common_labels(tuple(map(tuple, documents)), stop)

    def start(self, stop: Stop) -> None:
        """Start the child, so that the first question does not wait for it."""
        self._client.turn((), (), stop)

    def close(self) -> None:
        """End the child."""
        self._client.close()


def _start(stop: Stop) -> Endpoint:
    stop.check()
    child = Child.start("_quoting")
    return Endpoint(child.connection, child.kill)


def main(arguments: list[str]) -> int:
    """Serve until the parent closes the pipe."""
    del arguments
    connection = parent_connection()
    confine_this_process(chosen_encoder())
    serve(
        connection,
        Service[ExtractiveRequests](ExtractiveRequests).handler(_Turns()),
        on_disconnect=lambda: os._exit(0),
    )
    return 0
