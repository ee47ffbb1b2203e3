"""Tests an endpoint for the settings dialog: its models, its context window, and one tiny turn."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_rag.errors import ModelError, ModelRefused, ModelUnreachable, ServerFailed, ToolsRefused
from desktop_rag.llm.chat import ChatModel, ChatRequest, TextDelta, TokenUsage, ToolSpec, TurnEnded
from desktop_rag.llm.listed_models import ListedModel, list_models, native_window
from desktop_rag.llm.transport import address_candidates
from desktop_rag.llm.trial_requests import ECHO, READY
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

if TYPE_CHECKING:  # the window imports this module for its values while it starts
    from desktop_rag.llm.endpoint_traits import EndpointMemory
    from desktop_rag.llm.openai_chat import OpenAIChat

PROBE_TOKENS = 64


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of a test; `sentences` are for the user, the first is the headline."""

    ok: bool
    sentences: tuple[str, ...]
    address: str = ""  # the address that answered, for the profile
    models: tuple[ListedModel, ...] = ()
    context_window: int = 0  # of the profile's model; 0 when unknown
    tools: bool | None = None  # None: unknown; True: accepted, though a small model may use them badly
    seconds: float = 0.0
    usage: TokenUsage | None = None


def probe(profile: Profile, key: str, stop: Stop, memory: "EndpointMemory | None" = None) -> ProbeResult:
    """Test `profile` with `key`; blocks for seconds, so call it on a background thread; raises only `Stopped`.

    Without a model in the profile it only lists the models. What is learned goes to `memory`.
    """
    try:
        candidates = address_candidates(profile.base_url)
    except ModelError as error:
        return _failed(error, ())
    models = list_models(profile, key, candidates, stop)
    if not profile.model:
        return _without_model(profile, key, models, stop)
    result = _turn(profile, key, models, stop, memory)
    if not result.ok:
        return result
    window = next((model.context_window for model in models if model.id == profile.model), 0)
    window = window or native_window(profile, key, result.address, stop)
    return replace(result, context_window=window, sentences=(*result.sentences, *_notes(profile, models, window)))


def _without_model(profile: Profile, key: str, models: tuple[ListedModel, ...], stop: Stop) -> ProbeResult:
    if models:
        said = (_count(models), "Test it to see how it answers.")
        return ProbeResult(ok=True, sentences=said if len(models) == 1 else ("Choose a model.", said[0]), models=models)
    from desktop_rag.llm.openai_chat import OpenAIChat

    try:
        _ask(OpenAIChat(replace(profile, model="any"), key), (), stop)
    except (ModelUnreachable, ModelRefused, ServerFailed) as error:  # these must be fixed first
        return _failed(error, ())
    except ModelError:
        pass  # errors about the placeholder model do not matter
    text = "No models are listed. Type the model's name as its server writes it."
    return ProbeResult(ok=False, sentences=("Which model?", text))


def _turn(
    profile: Profile, key: str, models: tuple[ListedModel, ...], stop: Stop, memory: "EndpointMemory | None"
) -> ProbeResult:
    from desktop_rag.llm.openai_chat import OpenAIChat

    model = OpenAIChat(profile, key, memory=memory)
    model.try_tools_again()
    began = time.monotonic()
    tools: bool | None = True
    try:
        try:
            ended = _ask(model, (ECHO,), stop)
        except ToolsRefused:
            tools = False
            ended = _ask(model, (), stop)
    except ModelError as error:
        return _failed(error, models)
    seconds = time.monotonic() - began
    sentences = [f"{profile.model} answered after {seconds:.1f} seconds."]
    if not tools:
        sentences.append("This model does not accept tools, which the search needs. Choose another one if you can.")
    return ProbeResult(
        ok=True,
        sentences=tuple(sentences),
        address=model.address,
        models=models,
        tools=tools,
        seconds=seconds,
        usage=ended.usage,
    )


def _ask(model: "OpenAIChat", tools: tuple[ToolSpec, ...], stop: Stop) -> TurnEnded:
    return turn_of(model, ChatRequest((READY,), tools, PROBE_TOKENS), stop)[1]


def turn_of(model: ChatModel, request: ChatRequest, stop: Stop) -> tuple[int, TurnEnded]:
    """Return the number of pieces of text in a turn, and its end."""
    pieces, ended = 0, None
    for event in model.chat(request, stop):
        pieces += isinstance(event, TextDelta)
        ended = event if isinstance(event, TurnEnded) else ended
    if ended is None:
        raise ModelError("The model ended its answer without a message. Ask again.")
    return pieces, ended


def _failed(error: ModelError, models: tuple[ListedModel, ...]) -> ProbeResult:
    return ProbeResult(ok=False, sentences=(f"{error.title}.", str(error)), models=models)


def _count(models: tuple[ListedModel, ...]) -> str:
    return "One model is listed." if len(models) == 1 else f"{len(models)} models are listed."


def _notes(profile: Profile, models: tuple[ListedModel, ...], window: int) -> Iterator[str]:
    yield _count(models) if models else "Its models are not listed."
    if window:
        yield f"Its context window is {window:,} tokens."
        if window < profile.context_window:
            yield f"The settings say {profile.context_window:,}: lower it, or the beginning may be cut off silently."
    else:
        yield "How much it reads at once is not reported; check its context window."
