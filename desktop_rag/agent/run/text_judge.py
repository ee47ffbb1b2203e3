"""The second look at a text from elsewhere: the user's model compares its statements with the lines that they cite.

Nothing is asked that the user's rules or limits forbid; what was not compared stays “not checked”.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from desktop_rag.agent.budget import Purse, Spending, purse_of
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.events import Citation, Judgment
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.gate.surroundings import SentLines, surroundings_of
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.look.second_look import SecondLook
from desktop_rag.agent.run.look.yes_no import judgment_of, questions
from desktop_rag.agent.run.statements import Statement, StatementKey
from desktop_rag.agent.run.usual_run import RunModels, models_of
from desktop_rag.errors import DesktopRagError, SpendingDeclined, Stopped
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import (
    ChatRequest,
    Evidence,
    RemembersToolUse,
    SystemMessage,
    ToolUse,
    TurnEnded,
    UserMessage,
)
from desktop_rag.paths import spending_file
from desktop_rag.retrieval.api import Retriever
from desktop_rag.settings import Settings, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.secrets import Surroundings


class TextJudge:
    """Asks a model about statements; `trouble` is why not all were compared, as a sentence for the user."""

    def __init__(self, models: RunModels, purse: Purse | None, spending: Spending) -> None:
        self._model = models.fast or models.model
        self._purse = purse.of_fast() if purse and models.fast else purse
        self._spending = spending
        self._spent = 0.0
        self.trouble = ""

    def __call__(
        self, statements: Sequence[Statement], read: CitableLines, retriever: Retriever, stop: Stop
    ) -> Mapping[StatementKey, Judgment]:
        """Return the judgments, without those about documents that are never sent; raises `Stopped`."""
        model = self._model
        judgments: dict[StatementKey, Judgment] = {}
        try:
            sendable = _sendable(statements, retriever, stop)
            contents = {each.reference: each.content for one in sendable for each in one.citations}
            if isinstance(model, RemembersToolUse) and model.tool_use() is ToolUse.NONE:  # too small to quote
                for asked in questions(sendable) if model.judges() else ():
                    turn = ChatRequest((SystemMessage(load_prompt("yes-no")), asked.message), (), 1, yes_no=True)
                    ended = self._ask(turn, contents, retriever, stop)
                    judgments |= judgment_of(asked, ended.yes) if ended and ended.yes is not None else {}
                return judgments
            prompt = SystemMessage(load_prompt("second-look"))
            answer_tokens = min(model.max_output, model.context_window // 4)
            room = model.context_window - answer_tokens - model.count_tokens(prompt.text)
            look = SecondLook(sendable, read, room, model.count_tokens, answer_tokens=answer_tokens)
            while request := look.request():
                turn = ChatRequest((prompt, request), (), answer_tokens, look.schema)
                ended = self._ask(turn, contents, retriever, stop)
                look.take(ended.message.text if ended else "")
                judgments = look.judgments
        except Stopped:
            raise
        except DesktopRagError as error:
            self.trouble = str(error)
        return judgments

    def _ask(
        self, request: ChatRequest, contents: Mapping[str, ContentId], retriever: Retriever, stop: Stop
    ) -> TurnEnded | None:
        """Return the model's turn; raises `SpendingDeclined`, and as the model."""
        evidence = [
            each for message in request.messages if isinstance(message, UserMessage) for each in message.evidence
        ]

        def surroundings() -> tuple[Surroundings, ...]:
            return tuple(
                around for _, around in surroundings_of(retriever, (_sent(e, contents) for e in evidence), stop)
            )

        prompt = sum(self._model.count_tokens(message.text) for message in request.messages)
        if self._purse and (too_dear := self._purse.too_dear(self._spent, prompt, request.max_tokens)):
            raise SpendingDeclined(too_dear)
        ended: TurnEnded | None = None
        with closing(self._model.chat(replace(request, surroundings=surroundings), stop)) as events:
            for event in events:
                stop.check()
                if isinstance(event, TurnEnded):
                    ended = event
                    self._count(event)
        return ended

    def _count(self, ended: TurnEnded) -> None:
        if self._purse:
            cost = self._purse.prices.cost(ended.usage.prompt, ended.usage.completion)
            self._spent += cost
            self._spending.add(cost)


def judge_of(settings: Settings, profile: str | None = None) -> TextJudge | None:
    """Return a judge with the chosen endpoint's model, None without one or if the user wants no second look."""
    if not settings.second_look:
        return None
    models = models_of(settings, profile)
    if models.profile is None:
        return None
    spending = Spending(spending_file())
    return TextJudge(models, purse_of(models.profile, spending, settings.money), spending)


def _sendable(statements: Sequence[Statement], retriever: Retriever, stop: Stop) -> tuple[Statement, ...]:
    """Return the statements whose cited documents may be sent by the rules of the moment."""
    cited: dict[ContentId, Citation] = {each.content: each for one in statements for each in one.citations}
    withheld = {each.content for each in withheld_among(retriever, cited.values(), privacy().withheld(), stop)}
    return tuple(one for one in statements if withheld.isdisjoint(each.content for each in one.citations))


def _sent(evidence: Evidence, contents: Mapping[str, ContentId]) -> SentLines:
    return SentLines(contents[evidence.reference], evidence.first_line, evidence.lines)
