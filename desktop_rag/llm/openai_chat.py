"""A chat model behind any endpoint that speaks OpenAI's chat completions."""

import logging
import time
from collections.abc import Generator
from contextlib import closing

from desktop_rag.errors import ModelError, ModelUnreachable, StreamCut
from desktop_rag.llm import token_estimates
from desktop_rag.llm.chat import AssistantMessage, ChatEvent, ChatRequest, TokenUsage, TurnEnded
from desktop_rag.llm.dialect import Dialect
from desktop_rag.llm.endpoint_errors import EndpointFailure, EndpointPlace, Retry
from desktop_rag.llm.exchange import Exchange
from desktop_rag.llm.streaming import TurnReader
from desktop_rag.llm.transport import RequestTimeouts, address_candidates
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

_MAX_WAITS = 5  # for an endpoint that keeps saying it is busy


class OpenAIChat:
    """Implements `ChatModel`; one turn at a time, from any thread. It remembers what its endpoint refused."""

    def __init__(self, profile: Profile, key: str, patience: RequestTimeouts | None = None) -> None:
        """Connect to nothing yet; an empty `key` sends none."""
        self._profile = profile
        self._key = key
        self._patience = patience or RequestTimeouts()
        self._dialect = Dialect(profile)
        self._address = ""  # the one of the candidates that answered as a chat endpoint

    @property
    def name(self) -> str:
        """Return the name shown to the person."""
        return self._profile.model

    @property
    def context_window(self) -> int:
        """Return the window the profile states."""
        return self._profile.context_window

    @property
    def max_output(self) -> int:
        """Return what the profile allows one turn."""
        return self._profile.max_output

    @property
    def address(self) -> str:
        """Return the address that answered, with or without `/v1`; empty before the first turn."""
        return self._address

    def count_tokens(self, text: str) -> int:
        """Return an estimate; the tokenizer is on the other side."""
        return token_estimates.estimate(text)

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield the turn as it is generated; raises `ModelError` or `Stopped`.

        The text of `TurnEnded` is the truth: it is shorter than the pieces if they turned out to be thinking that
        only its end marked. When the connection breaks, everything received has been yielded before `StreamCut`.
        """
        attempts = _Attempts(self._patience)
        addresses = [self._address] if self._address else list(address_candidates(self._profile.base_url))
        elsewhere: list[EndpointFailure] = []
        while True:
            stop.check()
            body = self._dialect.body(request)
            started = False
            try:
                with closing(self._turn(addresses[0], request, body, stop)) as turn:
                    for event in turn:
                        started = True
                        yield event
            except EndpointFailure as failure:
                logger.debug("%s: attempt failed with status %d", EndpointPlace(addresses[0], "").host, failure.status)
                if started:
                    raise _cut(failure) from failure
                if self._dialect.learn(failure, body):
                    continue
                if failure.retry is Retry.ELSEWHERE:
                    elsewhere.append(failure)
                    if len(addresses) > 1:
                        addresses.pop(0)
                        continue
                    raise _no_address(elsewhere, addresses[0]) from failure
                if not attempts.another(failure, stop):
                    raise failure.error from failure
            else:
                self._address = addresses[0]
                return

    def _turn(
        self, url: str, request: ChatRequest, body: dict[str, object], stop: Stop
    ) -> Generator[ChatEvent, None, None]:
        reader = TurnReader(
            EndpointPlace(url, self._profile.model, self._key),
            frozenset(tool.name for tool in request.tools),
            thinking=self._dialect.opens_thinking,
        )
        began = time.monotonic()
        with Exchange(self._profile, self._key, url, body, self._patience) as exchange:
            try:
                for chunk in exchange.chunks(stop):
                    yield from reader.feed(chunk)
            except EndpointFailure:
                yield from reader.end()
                raise
            yield from reader.end()
            self._check_complete(reader, exchange, url)
        self._dialect.opens_thinking |= reader.opens_thinking
        message = reader.message(self._dialect.origin)
        usage = reader.usage or self._estimated_usage(request, message)
        logger.info("A turn took %.1f s, %d + %d tokens", time.monotonic() - began, usage.prompt, usage.completion)
        yield TurnEnded(message, usage, reader.reason(message))

    def _check_complete(self, reader: TurnReader, exchange: Exchange, url: str) -> None:
        host = EndpointPlace(url, self._profile.model).host
        if not reader.answered:
            text = f"{url} answered with nothing. Check the address, or ask again."
            raise EndpointFailure(ModelUnreachable(text), Retry.ELSEWHERE)
        if not reader.finished and not exchange.ended_by_server:
            text = f"{host} ended the answer in the middle. What came so far stands; ask again to continue."
            raise EndpointFailure(StreamCut(text), Retry.SOON)

    def _estimated_usage(self, request: ChatRequest, message: AssistantMessage) -> TokenUsage:
        return TokenUsage(
            prompt=token_estimates.of_request(request.messages, request.tools),
            completion=token_estimates.of_message(message),
            estimated=True,
        )


class _Attempts:
    """How often one turn may still be tried again."""

    def __init__(self, patience: RequestTimeouts) -> None:
        self._delays = list(patience.retry_delays)
        self._busy = patience.busy
        self._waits = _MAX_WAITS

    def another(self, failure: EndpointFailure, stop: Stop) -> bool:
        """Wait as the failure demands and return whether to try again; raises `Stopped`."""
        match failure.retry:
            case Retry.SOON if self._delays:
                seconds = self._delays.pop(0)
            case Retry.LATER if self._waits and failure.wait <= self._busy:
                seconds = failure.wait
                self._busy -= seconds
                self._waits -= 1
            case _:
                return False
        stop.wait(seconds)
        stop.check()
        return True


def _cut(failure: EndpointFailure) -> ModelError:
    """Return the error for a turn of which something has been shown already."""
    error = failure.error
    return error if isinstance(error, StreamCut) else StreamCut(str(error))


def _no_address(failures: list[EndpointFailure], last: str) -> ModelError:
    """Return the error of the address as it was typed, which says most, naming the other one."""
    first = failures[0].error
    return ModelUnreachable(f"{first} Also tried: {last}.") if len(failures) > 1 else first
