"""The second look by a model that is too small to quote: how probable its “yes” is, for one statement a request.

A yes says little, so nothing is told of it. A no is told as what it is: the model does not find the statement in its
lines. Most small models say yes or no by chance: one that does not tell plain statements apart is not asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.events import Citation, Judgment
from desktop_rag.agent.run.look.shown_lines import cited_lines, evidence_of
from desktop_rag.agent.run.statements import Statement, StatementKey
from desktop_rag.llm.chat import Evidence, UserMessage
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.hidden_characters import as_data

NO_BELOW = 0.5  # probability of “yes”; on 70 statements of a development list no other one does better
MOST_MISSED = 1  # of the plain statements
MOST = 6  # statements of an answer
_LINES = 900  # characters of the lines of a statement
# Lines, a statement that they say, and one in the same words that they do not.
_PLAIN = (
    (
        "The ferry leaves Oslo at nine and arrives in Kiel at ten the next day.",
        "The ferry arrives in Kiel at ten.",
        "The ferry leaves Kiel at nine.",
    ),
    ("Mira teaches Jonas to swim every Tuesday.", "Jonas learns to swim on Tuesdays.", "Jonas teaches Mira to swim."),
    (
        "Dogs are allowed in the garden, but not in the house.",
        "Dogs may not come into the house.",
        "Dogs are allowed in the house.",
    ),
    (
        "Members pay eight euros, guests pay twelve; children get in free.",
        "Guests pay more than members.",
        "Members pay more than guests.",
    ),
    (
        "The pump may be started only after the valve is opened.",
        "The valve has to be opened first.",
        "The valve is opened after the pump is started.",
    ),
    (
        "Some of the windows were replaced in 2019; the door is the old one.",
        "The door was not replaced.",
        "All windows were replaced in 2019.",
    ),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request about one statement."""

    message: UserMessage
    statement: Statement


def plain_questions() -> Iterator[tuple[UserMessage, bool]]:
    """Yield the requests that show whether a model can be asked, and whether its answer is to be yes."""
    for lines, said, other in _PLAIN:
        yield UserMessage(_text(lines, other), aside=True), False
        yield UserMessage(_text(lines, said), aside=True), True


def questions(statements: Sequence[Statement]) -> Iterator[Asked]:
    """Yield the requests about statements: their cited lines, and nothing around these."""
    for statement in statements[:MOST]:
        sent = tuple(_evidence(each) for each in statement.citations)
        lines = shorten(one_line(" ".join(line for each in sent for line in each.lines)), _LINES)
        yield Asked(UserMessage(_text(as_data(lines), statement.text), sent, aside=True), statement)


def judgment_of(asked: Asked, yes: float) -> Mapping[StatementKey, Judgment]:
    """Return what the probability of “yes” says of a statement: nothing, unless it is small."""
    return {asked.statement.key: Judgment("silent")} if yes < NO_BELOW else {}


def _text(lines: str, statement: str) -> str:
    return f"Lines: {lines}\nStatement: {statement}\nAnswer:"


def _evidence(citation: Citation) -> Evidence:
    lines = cited_lines(citation)
    return evidence_of(citation, min(lines, default=citation.first_line), tuple(lines.values()))
