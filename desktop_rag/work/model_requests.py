"""Requests of a job to the user's model: within their rules on privacy and their limits on money, counted together."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from desktop_rag.agent.budget import Purse, Spending, amount_text, purse_of
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.gate.run_rules import Known, withheld_among
from desktop_rag.agent.gate.surroundings import SentLines, surroundings_of
from desktop_rag.agent.run.statements import Statement
from desktop_rag.agent.run.text_judge import TextJudge
from desktop_rag.agent.run.usual_run import RunModels
from desktop_rag.errors import SendingRefused, SpendingDeclined
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatRequest, Message, RetryDelayed, TurnEnded, UserMessage
from desktop_rag.retrieval.api import Retriever
from desktop_rag.settings import MoneyLimits, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.secrets import Surroundings
from desktop_rag.work.report import Contradiction

MOST_COMPARED = 24  # statements that are compared with other passages


@dataclass(frozen=True, slots=True)
class Used:
    """What the requests of a job have used so far; `money` is None without prices."""

    requests: int = 0
    prompt: int = 0
    completion: int = 0
    money: float | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Return input and output tokens together."""
        return self.prompt + self.completion


class Meter:
    """Adds up what all requests of a job use, from any thread."""

    def __init__(self, purse: Purse | None, spending: Spending) -> None:
        self.purse = purse
        self._spending = spending
        self._lock = threading.Lock()
        self._used = Used(money=0.0 if purse else None)

    @property
    def used(self) -> Used:
        """Return the use so far."""
        return self._used

    def check(self, prompt: int, answer: int) -> None:
        """Raise `SpendingDeclined` if a request may pass the limit on money."""
        if self.purse is None:
            return
        left, cost = self.purse.left(self._used.money or 0.0), self.purse.prices.cost(prompt, answer)
        if left is not None and cost > left:
            costs, rest = amount_text(cost), amount_text(max(left, 0.0))
            raise SpendingDeclined(f"The next request may cost {costs}; {rest} is left of your limit.")

    def count(self, ended: TurnEnded) -> None:
        """Count a request that was answered."""
        usage = ended.usage
        with self._lock:
            before, cost = self._used, 0.0
            if self.purse:
                cost = self.purse.prices.cost(usage.prompt, usage.completion)
                self._spending.add(cost)
            self._used = replace(
                before,
                requests=before.requests + 1,
                prompt=before.prompt + usage.prompt,
                completion=before.completion + usage.completion,
                money=None if before.money is None else before.money + cost,
                estimated=before.estimated or usage.estimated,
            )


class ModelRequests:
    """Asks one model, in one thread at a time; `on_busy` is told when the endpoint asks to wait."""

    def __init__(
        self, models: RunModels, meter: Meter, retriever: Retriever, on_busy: Callable[[], None] = lambda: None
    ) -> None:
        self.model = models.model
        self._meter = meter
        self._retriever = retriever
        self._on_busy = on_busy

    def reply(
        self,
        messages: Sequence[Message],
        read: Mapping[str, Known],
        stop: Stop,
        *,
        schema: str = "",
        max_tokens: int = 600,
    ) -> TurnEnded:
        """Return the model's reply; `read` are the documents of the messages' evidence by reference.

        Raises `SendingRefused` if one of them may not be sent now, `SpendingDeclined`, and as the model.
        """
        if withheld_among(self._retriever, read.values(), privacy().withheld(), stop):
            raise SendingRefused("This document is never sent.")
        contents = {name: each.content for name, each in read.items()}
        self._meter.check(sum(self.model.count_tokens(each.text) for each in messages), max_tokens)
        request = ChatRequest(
            messages, (), max_tokens, schema, surroundings=lambda: self._surroundings(messages, contents, stop)
        )
        with closing(self.model.chat(request, stop)) as events:
            for event in events:
                stop.check()
                if isinstance(event, RetryDelayed) and event.asked:
                    self._on_busy()
                if isinstance(event, TurnEnded):
                    self._meter.count(event)
                    return event
        raise AssertionError("a turn always ends")

    def _surroundings(
        self, messages: Sequence[Message], contents: Mapping[str, ContentId], stop: Stop
    ) -> tuple[Surroundings, ...]:
        sent = (
            SentLines(contents[each.reference], each.first_line, each.lines)
            for message in messages
            if isinstance(message, UserMessage)
            for each in message.evidence
            if each.reference in contents
        )
        return tuple(around for _, around in surroundings_of(self._retriever, sent, stop))


def contradictions(
    asked: Sequence[Statement], look: TextJudge, retriever: Retriever, stop: Stop
) -> tuple[Contradiction, ...]:
    """Return the statements that the second look finds contradicted in the passages that they are given as citations.

    What was not compared is not told. Raises `Stopped`.
    """
    read = CitableLines()
    for each in (citation for statement in asked for citation in statement.citations):
        read.record(each.content, each.passage_first_line, each.passage.split("\n"))
    judgments = look(asked[-MOST_COMPARED:], read, retriever, stop)
    found: list[Contradiction] = []
    for statement in asked:
        judgment = judgments.get(statement.key)
        if judgment is not None and judgment.says == "contradicts":
            at = next((one.number for one in statement.citations if judgment.words in one.passage), 0)
            found.append(Contradiction(statement.text, judgment.words, at))
    return tuple(found)


def meter_of(models: RunModels, spending: Spending, limits: MoneyLimits) -> Meter:
    """Return the meter of a job with these models."""
    return Meter(purse_of(models.profile, spending, limits), spending)


def look_of(models: RunModels, spending: Spending, limits: MoneyLimits) -> TextJudge:
    """Return what compares statements with their lines a second time."""
    return TextJudge(models, purse_of(models.profile, spending, limits), spending)
