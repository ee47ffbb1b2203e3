"""The chat model of a profile with a model file: the usual client, before the server that all questions share."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from desktop_rag.errors import LocalModelError, ModelUnreachable
from desktop_rag.llm import tokens
from desktop_rag.llm.chat import ChatEvent, ChatRequest, RetryDelayed, ToolUse, TurnProgress
from desktop_rag.llm.endpoint_traits import LLAMA_CPP, EndpointMemory, EndpointTraits
from desktop_rag.llm.local_model.local_server import LocalEndpoint, SharedServer, shared_server
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop


class LocalModelChat:
    """Implements `ChatModel`; every turn uses the shared server, and starts it if it does not run."""

    def __init__(
        self, profile: Profile, memory: EndpointMemory | None = None, server: SharedServer | None = None
    ) -> None:
        """Start nothing yet; what is learned about the model goes to `memory`."""
        self._profile = profile
        self._memory = FileMemory(profile, memory)
        self._server = server or shared_server()
        self._served: LocalEndpoint | None = None
        self._chat: OpenAIChat | None = None

    @property
    def name(self) -> str:
        """Return the name shown to the user: a profile written by hand may name the file alone."""
        return self._profile.model or Path(self._profile.model_file).stem

    @property
    def context_window(self) -> int:
        """Return the context that fitted the memory when the model was loaded, before that the one of the profile."""
        return self._served.profile.context_window if self._served else self._profile.context_window

    @property
    def max_output(self) -> int:
        """Return the maximum tokens of one turn."""
        return min(self._profile.max_output, self.context_window // 4)

    def count_tokens(self, text: str) -> int:
        """Return an estimate, corrected by the counts of earlier requests."""
        if self._chat is not None:
            return self._chat.count_tokens(text)
        return self._memory.recall(self._profile).calibrated(tokens.estimate(text))

    def tool_use(self) -> ToolUse | None:
        """Return how the model can be made to search, if it was found out not long ago that it calls no tools."""
        return self._memory.recall(self._profile).tool_use()

    def note_tool_use(self, way: ToolUse) -> None:
        """Keep for later runs how the model can be made to search."""
        if self._chat is not None:
            self._chat.note_tool_use(way)

    def judges(self) -> bool | None:
        """Return whether its yes and no to a statement can be used; None if that was not tried."""
        return self._memory.recall(self._profile).judges

    def note_judges(self, *, well: bool) -> None:
        """Keep for later runs whether its yes and no can be used."""
        if self._chat is not None:
            self._chat.note_judges(well=well)

    def find_size(self, stop: Stop) -> Generator[TurnProgress]:
        """Load the model, whose server tells how large it is, unless that is known."""
        if self._memory.recall(self._profile).knows_size():
            return
        endpoint = yield from self._server.serving(self._profile, stop)
        try:
            yield from self._connected(endpoint).find_size(stop)
        finally:
            self._server.release(endpoint)

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn once the model is loaded; a server that died before the first word is started again once."""
        started = yield from self._turn(request, stop)
        if not started:
            started = yield from self._turn(request, stop)
        if not started:
            raise LocalModelError(
                "The model's process ended twice while it read the question, most likely because the memory did not "
                "suffice. Choose a smaller context window, or a smaller model."
            )

    def _turn(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent, None, bool]:
        """Stream the turn; return False if the server died before the first word."""
        endpoint = yield from self._server.serving(self._profile, stop)
        started = False
        try:
            with closing(self._connected(endpoint).chat(request, stop)) as events:
                for event in events:
                    started = started or not isinstance(event, TurnProgress | RetryDelayed)
                    yield event
        except ModelUnreachable:
            if started or not self._server.has_died(endpoint, stop):
                raise
            return False
        finally:
            self._server.release(endpoint)
        return True

    def _connected(self, endpoint: LocalEndpoint) -> OpenAIChat:
        if self._chat is None or self._served is not endpoint:
            self._chat, self._served = OpenAIChat(endpoint.profile, endpoint.key, memory=self._memory), endpoint
        return self._chat


class FileMemory(EndpointMemory):
    """Keeps what is learned under the profile of the file: the address of the server is another each time."""

    def __init__(self, profile: Profile, memory: EndpointMemory | None) -> None:
        self._profile = profile
        self._memory = memory

    def recall(self, profile: Profile) -> EndpointTraits:
        """Return what was learned about the file."""
        traits = self._memory.recall(self._profile) if self._memory else EndpointTraits(effort=profile.reasoning_effort)
        return replace(traits, server=LLAMA_CPP)

    def keep(self, profile: Profile, traits: EndpointTraits) -> None:
        """Store `traits`, but for the context window: it follows from the free memory."""
        if self._memory:
            self._memory.keep(self._profile, replace(traits, context_window=0))
