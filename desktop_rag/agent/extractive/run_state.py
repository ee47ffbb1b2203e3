"""The state of a run of the built-in model, derived from the messages each turn."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion, questions
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, rank
from desktop_rag.llm.chat import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from desktop_rag.llm.json_value import object_in
from desktop_rag.stop import Stop

EVERY = 0  # the number for all questions; single ones are numbered from 1
_ID = re.compile(r"builtin(\d+)\.(\d+)\.(\d+)$")


class RunPhase(IntEnum):
    """The phases of a run, in order."""

    LIST = 1
    SEARCH = 2
    READ = 3
    LOOK_AGAIN = 4
    READ_ON = 5


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call to be made for one of the questions, or for all of them (`EVERY`)."""

    question: int
    tool: str
    arguments: dict[str, object]


@dataclass(frozen=True, slots=True)
class RunState:
    """The questions, the calls made for them so far, and their results."""

    questions: tuple[AnalysedQuestion, ...]
    calls: tuple[ToolCall, ...]
    results: tuple[ToolMessage, ...]

    @property
    def numbers(self) -> range:
        """The numbers of the questions, from 1."""
        return range(1, len(self.questions) + 1)

    def reached(self, phase: RunPhase) -> bool:
        """Return whether anything was called in a phase."""
        return any(_phase(call.id) == phase for call in self.calls)

    def done(self, call_id: str) -> bool:
        """Return whether a call was executed."""
        return any(result.call_id.endswith(call_id) and result.executed for result in self.results)

    def before(self, phase: RunPhase) -> "RunState":
        """Return the state at the start of a phase, so that its plan stays the same while its calls run one by one."""
        results = tuple(result for result in self.results if _phase(result.call_id) < phase)
        return RunState(self.questions, tuple(call for call in self.calls if _phase(call.id) < phase), results)

    def of(self, number: int) -> list[ToolMessage]:
        """Return the results for one question, with those for all questions."""
        return [result for result in self.results if _question(result.call_id) in (number, EVERY)]

    def arguments(self, result: ToolMessage) -> Mapping[str, object]:
        """Return the arguments of the call of a result."""
        return next((object_in(call.arguments) for call in self.calls if call.id == result.call_id), {})

    def ranked(self, number: int, stop: Stop) -> list[RankedSentence]:
        """Return the sentences that were read, ranked for one of the questions."""
        stop.check()
        question = self.questions[number - 1]
        others = [result for result in self.results if _question(result.call_id) not in (number, EVERY)]
        return rank(question, candidates(self.of(number), others))

    def searched(self) -> tuple[str, ...]:
        """Return the distinct queries of all searches."""
        found: dict[str, None] = {}
        for call in self.calls:
            arguments = object_in(call.arguments)
            if "search" in call.name:
                values = [arguments[name] for name in ("queries", "query", "keywords") if name in arguments]
                queries = [query for value in values for query in (value if isinstance(value, list) else [value])]
                typed = (query for query in queries if isinstance(query, str))
                found |= dict.fromkeys(query for query in typed if not query.startswith("("))  # of statements
        return tuple(found)


def question_of(messages: Sequence[Message]) -> UserMessage | None:
    """Return the last message of the user that is not an aside."""
    asked = [message for message in messages if isinstance(message, UserMessage) and not message.aside]
    return asked[-1] if asked else None


def state_of(messages: Sequence[Message]) -> RunState:
    """Derive the state from the messages; passages given with the question count as results for all questions."""
    asked = [index for index, message in enumerate(messages) if isinstance(message, UserMessage) and not message.aside]
    turns = [message for index in asked[-2:] if isinstance(message := messages[index], UserMessage)]
    own = messages[asked[-1] + 1 :] if asked else ()
    given = tuple(ToolMessage("", "given", "", message.evidence) for message in turns[-1:] if message.evidence)
    texts = [_asked(message) for message in turns]
    return RunState(
        questions=questions(texts[-1] if texts else "", texts[-2] if len(texts) > 1 else ""),
        calls=tuple(call for message in own if isinstance(message, AssistantMessage) for call in message.tool_calls),
        results=(*given, *(message for message in own if isinstance(message, ToolMessage))),
    )


def call_id(phase: RunPhase, index: int, number: int) -> str:
    """Return the id of the call made as the `index`th of a phase, for question `number`."""
    return f"builtin{phase.value}.{index}.{number}"


def _asked(message: UserMessage) -> str:
    return message.given.question if message.given else message.text


def _phase(name: str) -> int:
    match = _ID.search(name)
    return int(match[1]) if match else 0


def _question(name: str) -> int:
    match = _ID.search(name)
    return int(match[3]) if match else EVERY
