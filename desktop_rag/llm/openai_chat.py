"""The chat model behind an OpenAI-compatible endpoint, of either API, with retries and backoff."""

import logging
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

from desktop_rag.errors import ContextOverflow, ModelError, ModelUnreachable, PromptTruncated, StreamCut, ToolsRefused
from desktop_rag.llm import tokens
from desktop_rag.llm.chat import (
    STILL_RUNNING,
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    RetryDelayed,
    StreamedEvent,
    TextDelta,
    TokenUsage,
    ToolUse,
    TurnEnded,
    TurnProgress,
)
from desktop_rag.llm.dialect import Dialect
from desktop_rag.llm.endpoint_traits import LEAST_COUNTED, LLAMA_CPP, VLLM, EndpointMemory, EndpointTraits
from desktop_rag.llm.exchange import END_OF_STREAM, NOTHING_NEW, Exchange
from desktop_rag.llm.failures import ChatEndpoint, EndpointFailure, Retry
from desktop_rag.llm.json_value import JsonObject
from desktop_rag.llm.listed_models import model_size, native_window
from desktop_rag.llm.redaction import redactor
from desktop_rag.llm.responses import ResponsesReader
from desktop_rag.llm.streaming import TurnReader
from desktop_rag.llm.tokens import count_prompt
from desktop_rag.llm.transport import RequestTimeouts, address_candidates, is_near
from desktop_rag.llm.written_calls import Offered
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

_TELL_SECONDS = 1.0  # between two signs that a turn goes on
_WINDOW_STEP = 2_048  # tokens; context windows are multiples of it
_COUNTED_SHARE = 0.8  # of the window: a prompt that may take more is counted before it is sent
_MAX_WAITS = 5  # for an endpoint that keeps reporting its rate limit


class OpenAIChat:
    """Implements `ChatModel`; one turn at a time, from any thread. Remembers what its endpoint rejected."""

    def __init__(
        self,
        profile: Profile,
        key: str,
        timeouts: RequestTimeouts | None = None,
        memory: EndpointMemory | None = None,
        *,
        proves_arrival: bool = True,
    ) -> None:
        """Do not connect yet; an empty `key` is not sent. What is learned about the endpoint goes to `memory`.

        With `proves_arrival`, a near server that counts no tokens must prove once that it reads long prompts whole.
        """
        self._profile = profile
        self._key = key
        self._timeouts = timeouts or RequestTimeouts(first_token=float(profile.patience))
        self._memory = memory
        self._dialect = Dialect(profile, memory.recall(profile) if memory else None)
        self._kept = self._dialect.traits  # what `memory` has
        self._proves_arrival = proves_arrival and is_near(profile.base_url)
        self._counted: tokens.CountedPrompt | None = None  # the prompt before
        self._address = ""  # the candidate that answered as a chat endpoint

    @property
    def name(self) -> str:
        """Return the name shown to the user."""
        return self._profile.model

    @property
    def context_window(self) -> int:
        """Return the context window from the profile, or the smaller one that the endpoint told or showed."""
        return self._dialect.traits.window(self._profile.context_window)

    @property
    def max_output(self) -> int:
        """Return the maximum output from the profile."""
        return self._profile.max_output

    @property
    def address(self) -> str:
        """Return the address that answered, with or without `/v1`; empty before the first turn."""
        return self._address

    def count_tokens(self, text: str) -> int:
        """Return an estimate, corrected by the counts of earlier requests: the tokenizer is on the server."""
        return self._dialect.traits.calibrated(tokens.estimate(text))

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn; raises `ModelError` or `Stopped`.

        The text of `TurnEnded` is authoritative: it is shorter than the deltas if these turned out to be thinking that
        only a closing tag marked. If the connection breaks, everything received is yielded before `StreamCut`.
        """
        try:
            yield from self._attempts(request, stop)
        except ModelError as error:
            redact = redactor(self._key, self._profile.base_url, self._profile.proxy)
            error.args, error.title = (redact(str(error)),), redact(error.title)
            raise error from None  # its causes may quote the request's headers
        finally:
            self._keep()

    def _keep(self) -> None:
        if self._memory and self._dialect.traits != self._kept:
            self._memory.keep(self._profile, self._dialect.traits)
            self._kept = self._dialect.traits

    def try_tools_again(self) -> None:
        """Offer tools in the next turn, though they were refused."""
        self._learn(replace(self._dialect.traits, tools_refused_at=0.0))

    def note_server(self, server: str) -> None:
        """Note which server answers, as far as it counts tokens on request."""
        if server in {LLAMA_CPP, VLLM}:
            self._learn(replace(self._dialect.traits, server=server))

    def tool_use(self) -> ToolUse | None:
        """Return how the model can be made to search, if it was found out not long ago that it calls no tools."""
        return self._dialect.traits.tool_use()

    def note_tool_use(self, way: ToolUse) -> None:
        """Keep for later runs how the model can be made to search.

        One near by that made calls before, and then none that could be run, calls tools by chance only.
        """
        traits = self._dialect.traits
        if way is not ToolUse.NATIVE and is_near(self._profile.base_url):
            traits = replace(traits, calls_tools=None)
        self._learn(traits.with_tool_use(way))
        self._keep()

    def judges(self) -> bool | None:
        """Return whether its yes and no to a statement can be used; None if that was not tried."""
        return self._dialect.traits.judges

    def note_judges(self, *, well: bool) -> None:
        """Keep for later runs whether its yes and no can be used."""
        self._learn(replace(self._dialect.traits, judges=well))
        self._keep()

    def note_examined(self, *, searches_well: bool | None) -> None:
        """Keep for later runs whether the examination recommends that the model searches by itself.

        None, at its beginning: what was learned of its searches before does not count any more.
        """
        traits = self._dialect.traits
        self._learn(replace(traits, searches_well=searches_well, other_use=traits.other_use if searches_well else None))
        self._keep()

    def find_size(self, stop: Stop) -> Generator[TurnProgress]:
        """Ask a near server once how large the model is; what is not told is asked for again after a day."""
        yield from ()
        if self._proves_arrival:  # else only what is asked for is sent
            self.ask_size(stop)

    def ask_size(self, stop: Stop) -> None:
        """Ask a near server how large the model is, unless that is known."""
        traits, address = self._dialect.traits, self._profile.base_url
        if traits.knows_size() or not is_near(address):
            return
        told = model_size(self._profile, self._key, address_candidates(address)[0], stop)
        self._learn(replace(traits, parameters=told, size_asked_at=time.time()))
        self._keep()

    def read_ahead(self, request: ChatRequest, stop: Stop) -> None:
        """Have the server read the beginning of later requests; a failure changes nothing, and they tell it."""
        address = self._address or address_candidates(self._profile.base_url)[0]
        try:
            for _ in self._read_turn(address, request, self._dialect.body(request), stop):
                stop.check()
        except EndpointFailure as failure:
            logger.info("The instructions were not read ahead: %s", type(failure.error).__name__)

    @property
    def traits(self) -> EndpointTraits:
        """Return the traits of the endpoint, as far as they are learned."""
        return self._dialect.traits

    def _learn(self, traits: EndpointTraits) -> None:
        self._dialect.traits = traits

    def _attempts(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        retries = _RetryBudget(self._timeouts)
        addresses = [self._address] if self._address else list(address_candidates(self._profile.base_url))
        wrong_addresses: list[EndpointFailure] = []
        unsent = True  # no attempt came further than connecting
        if request.tools and self._dialect.traits.refuses_tools():
            host = ChatEndpoint(addresses[0], "").host
            raise ToolsRefused(
                f"“{self._profile.model}” at {host} did not accept tools before. They are not offered today."
            )
        while True:
            stop.check()
            body = self._dialect.body(request)
            started = False
            try:
                self._check_size(addresses[0], request, body, stop)
                with closing(self._turn(addresses[0], request, body, stop)) as turn:
                    for event in turn:
                        started = started or not (isinstance(event, TurnProgress) or event == STILL_RUNNING)
                        yield event
            except EndpointFailure as failure:
                unsent = unsent and failure.error.unsent
                logger.debug("%s: attempt failed with status %d", ChatEndpoint(addresses[0], "").host, failure.status)
                if started and not isinstance(failure.error, ContextOverflow):
                    raise _cut(failure) from failure
                if self._dialect.learn(failure, body):
                    continue
                if failure.retry is Retry.OTHER_ADDRESS:
                    wrong_addresses.append(failure)
                    if len(addresses) > 1:
                        addresses.pop(0)
                        continue
                    raise _no_address(wrong_addresses, addresses[0]) from failure
                seconds = retries.delay(failure)
                if seconds is None:
                    failure.error.unsent = unsent
                    raise failure.error from failure
                until = time.time_ns() + round(seconds * 1e9)
                yield RetryDelayed(seconds, failure.error.title, failure.retry is Retry.RATE_LIMITED, until)
                request.nudge.wait(seconds, stop)
            else:
                self._address = addresses[0]
                return

    def _turn(
        self, url: str, request: ChatRequest, body: dict[str, object], stop: Stop
    ) -> Generator[ChatEvent, None, None]:
        started_at = time.monotonic()
        reader = yield from self._read_turn(url, request, body, stop)
        self._learn(reader.observed(self._dialect.traits))
        message = reader.message(self._dialect.origin)
        prompt = tokens.of_request(request.messages, request.tools)
        estimated = TokenUsage(prompt, tokens.of_message(message), estimated=True)
        calibrated = self._dialect.traits.calibrated
        corrected = replace(estimated, prompt=calibrated(estimated.prompt), completion=calibrated(estimated.completion))
        usage = reader.usage or corrected
        told = self._ask_for_window(url, estimated.prompt, stop)
        exceeds = 0 < told < estimated.prompt
        sent = max(estimated.prompt, corrected.prompt)
        known = self._dialect.traits.window(sent)
        is_full = reader.usage is not None and known - tokens.NEAR <= usage.prompt <= known < sent
        if is_full or tokens.is_truncated(usage, estimated.prompt):
            raise self._truncated(url, usage, estimated.prompt, stop)
        yield from self._prove_arrival(url, request, reader.usage, estimated.prompt, stop, exceeds=exceeds)
        if reader.usage:
            self._learn(self._dialect.traits.with_count(usage.prompt, estimated.prompt))
        logger.info("A turn took %.1f s, %d + %d tokens", time.monotonic() - started_at, usage.prompt, usage.completion)
        yield TurnEnded(message, usage, reader.reason(message), reader.yes)

    def _ask_for_window(self, url: str, sent: int, stop: Stop) -> int:
        """Return the window that a near server's own pages tell: asked once a day, with the first long prompt; else 0.

        Ollama tells it there, and cuts off without a word what exceeds it.
        """
        traits = self._dialect.traits
        is_of_interest = self._proves_arrival and not traits.server and sent >= tokens.LEAST_SUSPICIOUS
        if traits.knows_window() or not is_of_interest:
            return 0
        told = native_window(self._profile, self._key, url, stop)
        self._learn(traits.with_window(told) if told else replace(traits, window_asked_at=time.time()))
        return told

    def _read_turn(
        self, url: str, request: ChatRequest, body: JsonObject, stop: Stop
    ) -> Generator[StreamedEvent, None, TurnReader | ResponsesReader]:
        """Stream the text of a turn and return its reader; raises `EndpointFailure`."""
        reader_type = ResponsesReader if self._dialect.speaks_responses else TurnReader
        reader = reader_type(
            ChatEndpoint(url, self._profile.model, self._key),
            _callable_tools(request),
            thinking=self._dialect.traits.opens_thinking,
        )
        ended_by_server, told = False, time.monotonic()
        with Exchange(self._profile, self._key, url, body, self._timeouts) as exchange:
            try:
                for chunk in exchange.chunks(stop):
                    if chunk is END_OF_STREAM:
                        ended_by_server = True
                    elif chunk is not NOTHING_NEW:
                        yield from reader.feed(chunk)
                    if reader.answered and not reader.finished and time.monotonic() - told > _TELL_SECONDS:
                        told = time.monotonic()
                        yield STILL_RUNNING
                    if reader.finished and reader_type is ResponsesReader:
                        break  # nothing follows its last event
                    if reader.finished:  # usage and end marker follow
                        exchange.finish()
            except EndpointFailure:
                yield from reader.end()
                raise
            yield from reader.end()
            self._check_complete(reader, url, ended_by_server=ended_by_server)
        return reader

    def _check_size(self, url: str, request: ChatRequest, body: JsonObject, stop: Stop) -> None:
        """Have a server that can do it count a prompt that may not fit, and the first one; raises `EndpointFailure`."""
        traits, estimated = self._dialect.traits, tokens.of_request(request.messages, request.tools)
        may_overflow = traits.calibrated(estimated) + request.max_tokens > _COUNTED_SHARE * self.context_window
        if not traits.server or not (may_overflow or (not traits.token_ratio and estimated >= LEAST_COUNTED)):
            return
        counted = count_prompt(self._profile, self._key, url, traits.server, body, stop)
        if not counted:
            return
        self._learn(traits.with_count(counted, estimated))
        if counted >= self.context_window:
            text = f"The request has {counted:,} tokens, more than the {self.context_window:,} of the context window."
            raise EndpointFailure(ContextOverflow(text))

    def _check_complete(self, reader: TurnReader, url: str, *, ended_by_server: bool) -> None:
        host = ChatEndpoint(url, self._profile.model).host
        if not reader.answered:
            text = f"{url} sent an empty answer. Check the address, or ask again."
            raise EndpointFailure(ModelUnreachable(text, "The model sent an empty answer"), Retry.OTHER_ADDRESS)
        if not reader.finished and not ended_by_server:
            text = f"{host} ended the answer in the middle. The text so far is kept; ask again to continue."
            raise EndpointFailure(StreamCut(text), Retry.BACKOFF)

    def _prove_arrival(
        self, url: str, request: ChatRequest, counted: TokenUsage | None, sent: int, stop: Stop, *, exceeds: bool
    ) -> Generator[ChatEvent]:
        """Have a model repeat code words at the beginning of a prompt that may have been cut off without a sign.

        So may one that `exceeds` the window just told. Raises `EndpointFailure` if the beginning is missing. A model
        that repeats nothing is not asked again today.
        """
        before, traits = self._counted, self._dialect.traits
        self._counted = tokens.CountedPrompt(sent, counted.prompt) if counted else None
        if not self._proves_arrival or not (exceeds or traits.may_cut_unseen()):
            return
        if not (exceeds or tokens.is_in_doubt(counted, sent, traits.whole_prompt, before)):
            return
        yield TurnProgress("proving", 0, 0)
        asked, words = tokens.with_code_words(request)
        reply = ""
        try:
            for event in self._read_turn(url, asked, self._dialect.body(asked), stop):
                reply += event.text if isinstance(event, TextDelta) else ""
        except EndpointFailure as failure:
            logger.info("The endpoint did not repeat code words: %s", failure.error)
        match tokens.judge(reply, words):
            case tokens.Arrived.WHOLE:
                self._learn(replace(traits, whole_prompt=sent))
            case tokens.Arrived.UNCLEAR:
                self._learn(replace(traits, recall_failed_at=time.time()))
            case tokens.Arrived.CUT:
                raise self._beginning_missing(url, counted, sent, stop)

    def _beginning_missing(self, url: str, counted: TokenUsage | None, sent: int, stop: Stop) -> EndpointFailure:
        """Return the error of a server whose model does not know the beginning of a prompt."""
        usual = max((size for size in tokens.USUAL_WINDOWS[:2] if size < sent), default=_WINDOW_STEP)
        window = self._learn_dropped(url, sent, counted.prompt if counted else usual, stop)
        host = ChatEndpoint(url, self._profile.model).host
        error = PromptTruncated(
            f"The model at {host} does not know what stood at the beginning of about {sent:,} tokens: the server seems "
            "to drop it without a word. Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH), or "
            "lower its context window in the settings.",
            window,
        )
        return EndpointFailure(error)

    def _truncated(self, url: str, usage: TokenUsage, sent: int, stop: Stop) -> EndpointFailure:
        """Return the error of a server that dropped the beginning of a prompt, as its count shows."""
        self._learn_dropped(url, sent, -(-usage.prompt // _WINDOW_STEP) * _WINDOW_STEP, stop)
        host = ChatEndpoint(url, self._profile.model).host
        error = PromptTruncated(
            f"{host} read {usage.prompt:,} of about {sent:,} tokens and dropped the beginning without a word. "
            "Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH), or lower its context "
            "window in the settings.",
            usage.prompt,
        )
        return EndpointFailure(error)

    def _learn_dropped(self, url: str, sent: int, shown: int, stop: Stop) -> int:
        """Learn and return the window of a server that dropped a part of a prompt: as it tells, else as it showed."""
        told = native_window(self._profile, self._key, url, stop)
        window = told if 0 < told < sent else shown
        self._learn(self._dialect.traits.with_window(window))
        return window


class _RetryBudget:
    """The remaining retries of one turn: backoff delays, and waits for a rate limit."""

    def __init__(self, timeouts: RequestTimeouts) -> None:
        self._delays = list(timeouts.retry_delays)
        self._busy = timeouts.busy
        self._waits = _MAX_WAITS

    def delay(self, failure: EndpointFailure) -> float | None:
        """Return the seconds to wait before the next attempt; None if the failure must not be retried."""
        match failure.retry:
            case Retry.BACKOFF if self._delays:
                return self._delays.pop(0)
            case Retry.RATE_LIMITED if self._waits and failure.wait <= self._busy:
                self._busy -= failure.wait
                self._waits -= 1
                return failure.wait
            case _:
                return None


def _callable_tools(request: ChatRequest) -> Offered:
    """Return the parameters of the tools a model may call: those offered, else those known or called before.

    Models asked to answer without tools may still write a call, which must not be shown as their answer.
    """
    tools = request.tools or request.known
    called = (message.tool_calls for message in request.messages if isinstance(message, AssistantMessage))
    before = {} if request.tools else {call.name: () for calls in called for call in calls}
    return before | {tool.name: tool.parameter_names() for tool in tools}


def _cut(failure: EndpointFailure) -> ModelError:
    """Return the error of a turn whose text was partly shown: it cannot be retried."""
    error = failure.error
    return error if isinstance(error, StreamCut) else StreamCut(str(error))


def _no_address(failures: list[EndpointFailure], last: str) -> ModelError:
    """Return the error of the address as typed, which is the most telling, and name the other one."""
    first = failures[0].error
    return ModelUnreachable(f"{first} Also tried: {last}.", first.title) if len(failures) > 1 else first
