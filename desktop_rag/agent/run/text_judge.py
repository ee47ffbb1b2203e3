"""The second look at a text from elsewhere: the user's model compares its statements with the lines that they cite.

Nothing is asked that the user's rules or limits forbid; what was not compared stays “not checked”.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing

from desktop_rag.agent.budget.costs import Purse, amount_text
from desktop_rag.agent.budget.spending import Spending, purse_of
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.events import Citation, Judgment
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.gate.surroundings import SentLines, surroundings_of
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.look.second_look import SecondLook
from desktop_rag.agent.run.statements import Statement, StatementKey
from desktop_rag.agent.run.usual_run import RunModels, models_of
from desktop_rag.errors import DesktopRagError, SpendingDeclined, Stopped
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatRequest, Evidence, SystemMessage, TurnEnded, UserMessage
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
        prompt, model = load_prompt("second-look"), self._model
        answer_tokens = min(model.max_output, model.context_window // 4)
        room = model.context_window - answer_tokens - model.count_tokens(prompt)
        try:
            sendable = _sendable(statements, retriever, stop)
            look = SecondLook(sendable, read, room, model.count_tokens, answer_tokens=answer_tokens)
        except Stopped:
            raise
        except DesktopRagError as error:
            self.trouble = str(error)
            return {}
        contents = {each.reference: each.content for one in sendable for each in one.citations}
        while request := look.request():
            try:
                look.take(self._reply(prompt, request, look.schema, answer_tokens, contents, retriever, stop))
            except Stopped:
                raise
            except DesktopRagError as error:
                self.trouble = str(error)
                break
        return look.judgments

    def _reply(
        self,
        prompt: str,
        message: UserMessage,
        schema: str,
        answer_tokens: int,
        contents: Mapping[str, ContentId],
        retriever: Retriever,
        stop: Stop,
    ) -> str:
        """Return the model's reply; raises `SpendingDeclined`, and as the model."""

        def surroundings() -> tuple[Surroundings, ...]:
            sent = (_sent(each, contents) for each in message.evidence)
            return tuple(around for _, around in surroundings_of(retriever, sent, stop))

        self._check_spending(self._model.count_tokens(prompt + message.text), answer_tokens)
        messages = SystemMessage(prompt), message
        request = ChatRequest(messages, (), answer_tokens, schema, surroundings=surroundings)
        reply = ""
        with closing(self._model.chat(request, stop)) as events:
            for event in events:
                stop.check()
                if isinstance(event, TurnEnded):
                    reply = event.message.text
                    self._count(event)
        return reply

    def _check_spending(self, prompt: int, answer: int) -> None:
        left = self._purse.left(self._spent) if self._purse else None
        cost = self._purse.prices.cost(prompt, answer) if self._purse else 0.0
        if left is not None and cost > left:
            costs, rest = amount_text(cost), amount_text(max(left, 0.0))
            raise SpendingDeclined(f"The next request may cost {costs}; {rest} is left of your limit.")

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
