"""Examines an endpoint: tries each capability the program uses, and says what to change on the server.

Each check sends a tiny request; only servers on this computer or in the local network are sent a longer one, to see
whether they cut prompts off silently. What to change on a server is from its documentation: Ollama, llama.cpp, vLLM, LM
Studio.
"""

import secrets
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_rag.errors import ContextOverflow, ModelError, PromptTruncated, ToolsRefused
from desktop_rag.llm import tokens
from desktop_rag.llm.chat import AssistantMessage, ChatRequest, TokenUsage, ToolMessage, ToolUse, UserMessage
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.json_value import as_object
from desktop_rag.llm.listed_models import fetch_json
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.probe import ProbeResult, probe, turn_of
from desktop_rag.llm.prompted_tools import PromptedTools
from desktop_rag.llm.transport import is_near, page_address
from desktop_rag.llm.trial_requests import CALL_ECHO, CALL_TWICE, COUNT, ECHO, ECHOED, FILLER, WORD, recall
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

ANSWER_TOKENS = 300  # of one check; models that think need some before they answer
FILLER_TOKENS = 5_000  # more than the 2,048 and 4,096 tokens at which local servers cut off by default
CUT_SHARE = 0.75  # a prompt counted by the server at less than this share of our estimate was cut off
WANTED_WINDOW = 16_384
LONG_SECONDS = 20.0  # that a long prompt may need


class Rating(StrEnum):
    """How well a capability serves the program."""

    GOOD = "good"
    LIMITED = "limited"  # works, with a loss
    BAD = "bad"


class Server(StrEnum):
    """The servers that the program recognises by their own addresses."""

    OLLAMA = "Ollama"
    LLAMA_CPP = "llama.cpp"
    LM_STUDIO = "LM Studio"
    VLLM = "vLLM"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: what it is about, how it went, and what to change, if anything."""

    about: str
    rating: Rating
    sentence: str
    remedy: str = ""


_OWN_PAGES = (
    ("/api/version", Server.OLLAMA, "version"),
    ("/props", Server.LLAMA_CPP, "default_generation_settings"),
    ("/api/v0/models", Server.LM_STUDIO, "data"),
    ("/version", Server.VLLM, "version"),
)
_TOOLS_REMEDY: Mapping[Server, str] = {
    Server.OLLAMA: "Choose a model whose capabilities (ollama show MODEL) include tools, such as: ollama pull qwen3:4b",
    Server.LLAMA_CPP: "Choose a model trained for tool calls, and start the server with its own template: "
    "llama-server -m MODEL.gguf --jinja -c 16384",
    Server.LM_STUDIO: "Choose a model that LM Studio marks as trained for tool use.",
    Server.VLLM: "Choose a model trained for tool calls, and start the server with its parser, such as: "
    "vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes",
    Server.UNKNOWN: "Choose a model that supports tool calls, or start the server with tool calls enabled.",
}
_WINDOW_REMEDY: Mapping[Server, str] = {
    Server.OLLAMA: "Start the server with: OLLAMA_CONTEXT_LENGTH={0} ollama serve",
    Server.LLAMA_CPP: "Start the server with: llama-server -m MODEL.gguf -c {0}",
    Server.LM_STUDIO: "Load the model with: lms load MODEL --context-length {0}",
    Server.VLLM: "Start the server with: vllm serve MODEL --max-model-len {0}",
    Server.UNKNOWN: "Raise the context length in the settings of the server to {0} tokens.",
}


Trial = Callable[[OpenAIChat, Stop], Iterable[Finding]]  # how a model answers


def examine(
    profile: Profile, key: str, stop: Stop, memory: EndpointMemory | None = None, trial: Trial | None = None
) -> Generator[Finding]:
    """Yield the findings on a profile as they come; raises only `Stopped`.

    What is learned goes to `memory`, for the requests of later runs. A `trial` is made before single capabilities.
    """
    reached = probe(profile, key, stop, memory)
    if not reached.ok or not profile.model:
        headline, *details = reached.sentences
        yield Finding("Connection", Rating.BAD, " ".join((headline, *details)))
        return
    server = recognise(replace(profile, base_url=reached.address), key, stop)
    kind = f" This is {server}." if server else ""
    yield Finding("Connection", Rating.GOOD, f"{profile.model} answered after {reached.seconds:.1f} seconds.{kind}")
    model = OpenAIChat(profile, key, memory=memory, proves_arrival=False)  # a check of its own does
    model.note_server(server)
    checks = _Checks(profile, model, server, stop, _reading_rate(reached))
    yield checks.window(reached.context_window)
    if trial:
        yield from trial(model, stop)
    for check in (checks.streaming, checks.tools, checks.parallel_calls, checks.long_prompts):
        try:
            finding = check()
        except ModelError as error:
            finding = Finding(check.__name__.replace("_", " ").capitalize(), Rating.BAD, f"{error.title}: {error}")
        if finding:
            yield finding
        if checks.usage:
            yield checks.token_count()
            checks.usage = None


def _reading_rate(reached: ProbeResult) -> float:
    """Return the tokens a second that a model needs at most for a short prompt and a word; 0: not told."""
    usage = reached.usage
    return usage.prompt / reached.seconds if usage and not usage.estimated and reached.seconds > 1 else 0.0


def recognise(profile: Profile, key: str, stop: Stop) -> Server:
    """Return which server answers at the address of the profile, as far as its own pages tell."""
    for path, server, field in _OWN_PAGES:
        if field in as_object(fetch_json(profile, key, page_address(profile.base_url, path, beside_v1=True), stop)):
            return server
    return Server.UNKNOWN


class _Checks:
    """The checks of one endpoint; `usage` are tokens as the server counted them, until they are reported."""

    def __init__(self, profile: Profile, model: OpenAIChat, server: Server, stop: Stop, rate: float) -> None:
        """`rate` are the tokens that it reads in a second, at least; 0: unknown."""
        self._rate = rate
        self._profile = profile
        self._model = model
        self._server = server
        self._stop = stop
        self._calls = False
        self._told = 0  # the context window
        self.usage: TokenUsage | None = None

    def window(self, told: int) -> Finding:
        """Compare the context window that the server tells with the profile."""
        about, own = "Context window", self._profile.context_window
        self._told = told
        remedy = _WINDOW_REMEDY[self._server].format(WANTED_WINDOW)
        if not told:
            return Finding(about, Rating.LIMITED, f"The server does not tell it; the settings say {own:,} tokens.")
        if told < own:
            text = f"The server has {told:,} tokens, the settings say {own:,}: set them to {told:,}."
            return Finding(about, Rating.BAD, text, remedy if told < WANTED_WINDOW else "")
        if told < WANTED_WINDOW // 2:
            return Finding(about, Rating.LIMITED, f"{told:,} tokens: enough for few passages only.", remedy)
        return Finding(about, Rating.GOOD, f"{told:,} tokens.")

    def streaming(self) -> Finding:
        """See whether an answer arrives in pieces."""
        request = ChatRequest((COUNT,), (), ANSWER_TOKENS)
        pieces, ended = turn_of(self._model, request, self._stop)
        self.usage = ended.usage
        if pieces > 1:
            return Finding("Streaming", Rating.GOOD, "The answer arrives word by word.")
        if not pieces:
            text = "The model wrote no text when asked to count: whether answers arrive word by word was not seen."
            return Finding("Streaming", Rating.LIMITED, text)
        text = "The answer arrives in one piece: a server or a proxy on the way holds it back."
        return Finding("Streaming", Rating.LIMITED, text)

    def token_count(self) -> Finding:
        """Tell whether the server counts tokens."""
        if self.usage and not self.usage.estimated:
            return Finding("Token count", Rating.GOOD, "The server reports the tokens of each request.")
        text = "The server reports no tokens; they are estimated (marked with ~)."
        return Finding("Token count", Rating.LIMITED, text)

    def tools(self) -> Finding:
        """See whether the model calls a tool, and uses its result."""
        remedy = _TOOLS_REMEDY[self._server]
        question = CALL_ECHO
        try:
            _, ended = turn_of(self._model, ChatRequest((question,), (ECHO,), ANSWER_TOKENS), self._stop)
        except ToolsRefused:
            return self._prompted("The server refuses tools for this model", remedy)
        call = next((call for call in ended.message.tool_calls if WORD in call.arguments.lower()), None)
        if call is None:
            if ended.message.tool_calls:
                return self._prompted("The model calls tools wrongly", remedy)
            return self._prompted("The model accepts tools but does not call them", remedy)
        result = ToolMessage(call.id, call.name, ECHOED)
        answered = AssistantMessage(ended.message.text, (call,), ended.message.reasoning)
        _, ended = turn_of(self._model, ChatRequest((question, answered, result), (ECHO,), ANSWER_TOKENS), self._stop)
        self._calls = True
        if not ended.message.text.strip():
            return Finding("Tools", Rating.LIMITED, "The model calls a tool but says nothing about its result.")
        return Finding("Tools", Rating.GOOD, "The model calls a tool and goes on with its result.")

    def _prompted(self, problem: str, remedy: str) -> Finding:
        request = ChatRequest((CALL_ECHO,), (ECHO,), ANSWER_TOKENS)
        try:
            _, ended = turn_of(PromptedTools(self._model), request, self._stop)
            called = any(WORD in call.arguments.lower() for call in ended.message.tool_calls)
        except ToolsRefused:
            called = False
        self._model.note_tool_use(ToolUse.PROMPTED if called else ToolUse.NONE)
        if called:
            text = f"{problem}; it can write calls as text instead, which is slower."
            return Finding("Tools", Rating.LIMITED, text, remedy)
        text = f"{problem}, nor can it write them as text: the searches are made for it."
        return Finding("Tools", Rating.BAD, text, remedy)

    def parallel_calls(self) -> Finding | None:
        """See whether the model makes two calls in one turn; nothing if it makes none."""
        if not self._calls:
            return None
        request = ChatRequest((CALL_TWICE,), (ECHO,), ANSWER_TOKENS)
        _, ended = turn_of(self._model, request, self._stop)
        if len(ended.message.tool_calls) > 1:
            return Finding("Parallel calls", Rating.GOOD, "The model makes several calls in one turn.")
        return Finding("Parallel calls", Rating.LIMITED, "The model makes one call a turn: searches take more turns.")

    def long_prompts(self) -> Finding | None:
        """See whether a long prompt arrives whole; nothing for remote servers, which are paid by the token."""
        if not is_near(self._profile.base_url) or self._profile.context_window < FILLER_TOKENS // 2:
            return None
        word = f"{secrets.randbelow(9_000) + 1_000}"
        size = min(FILLER_TOKENS, self._profile.context_window - ANSWER_TOKENS - 200)
        if self._rate and (seconds := size / self._rate) > LONG_SECONDS:
            text = f"To read {size:,} tokens it would need about {seconds:,.0f} seconds: not tried."
            return Finding("Long prompts", Rating.LIMITED, text)
        prompt = recall(word, size // tokens.estimate(FILLER))
        sent = tokens.estimate(prompt)
        about, remedy = "Long prompts", _WINDOW_REMEDY[self._server].format(WANTED_WINDOW)
        try:
            _, ended = turn_of(self._model, ChatRequest((UserMessage(prompt),), (), ANSWER_TOKENS), self._stop)
        except PromptTruncated as cut:
            text = (
                f"Of a prompt of about {sent:,} tokens only {cut.tokens:,} arrived: the beginning is cut off silently."
            )
            return Finding(about, Rating.BAD, text, remedy)
        except ContextOverflow:
            text = f"A prompt of {sent:,} tokens is refused, though the settings say {self._profile.context_window:,}."
            return Finding(about, Rating.BAD, text, remedy)
        counted = ended.usage.prompt
        if word in ended.message.text:
            return Finding(about, Rating.GOOD, f"A prompt of {counted:,} tokens arrives whole.")
        is_full = counted < sent and counted >= self._told - tokens.NEAR > 0
        is_cut = is_full or tokens.is_at_a_limit(counted, sent) or counted < sent * CUT_SHARE
        if is_cut and not ended.usage.estimated:
            text = f"Of a prompt of about {sent:,} tokens only {counted:,} arrived: the beginning is cut off silently."
            return Finding(about, Rating.BAD, text, remedy)
        text = f"The model overlooked a word at the beginning of {sent:,} tokens: long documents ask too much of it."
        return Finding(about, Rating.LIMITED, text)
