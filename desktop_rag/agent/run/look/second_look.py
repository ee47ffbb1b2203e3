"""The second look: a model compares statements with the lines they cite, and with nothing else.

The program compares words, names and figures; who did what, and in other words, it does not judge. The model is asked
for the words that decide, and a judgment counts only if the lines have them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.events import Judgment
from desktop_rag.agent.run.look.look_reply import Says, quotations, read_entries, schema_of
from desktop_rag.agent.run.look.shown_lines import HEADER, CountTokens, ShownLines, cited_lines
from desktop_rag.agent.run.statements import STATEMENT, Statement, StatementKey
from desktop_rag.llm.chat import UserMessage
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.normalize import fold_quote

MOST_STATEMENTS = 24  # of one request
MOST_TOKENS = 12_000  # of one request
ANSWERED = 60  # tokens that a judgment may take in the reply
_QUESTION = 500  # characters of the question
_MARKS = " .,;:|\"“”'‘’*_`()"
_LEAST_WORDS = 3  # characters of the words that decide
_CELLS = re.compile(r"\s*[|\t]\s*")
_LETTER = re.compile(r"[^\W_]")
_PARTS = re.compile(r"…|\.\.\.|\n")
_LINE_NUMBER = re.compile(r"(?:^|(?<=\s))(?:L|lines?\s*)?\d{1,7}\s*[:|]\s+", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|\|)\s*")


def look_request(
    statements: Sequence[Statement],
    read: CitableLines,
    budget: int,
    count_tokens: CountTokens,
    question: str = "",
    most: int = MOST_STATEMENTS,
) -> tuple[UserMessage, tuple[Statement, ...]]:
    """Return the request with as many of the statements as fit `budget` tokens, and these statements.

    Of the lines around the cited ones only those `read` are shown.
    """
    asked_for = f"Question: {shorten(one_line(question), _QUESTION)}" if question.strip() else ""
    shown = ShownLines(read, budget - count_tokens(asked_for), count_tokens)
    asked: list[Statement] = []
    lines: list[str] = []
    for statement in statements[: min(most, MOST_STATEMENTS)]:
        words = shorten(statement.text, STATEMENT)
        before = "" if asked and statement.before == asked[-1].text else statement.before
        before = f"\n   Before it: {before}" if before and before != words else ""
        places = shown.add(words, statement.citations, count_tokens(words + before) + HEADER // 4)
        if places is None:
            break
        numbers = " ".join(f"[{shown.number(each.citation)} {_range(each.first, each.last)}]" for each in places)
        asked.append(replace(statement, cut=any(place.cut for place in places)))
        lines.append(f"{len(asked)}. {numbers} {words}{before}")
    data, sent = shown.render(lambda number, _: f"[{number}]")
    parts = filter(None, (asked_for, "Lines:", data, "Statements:", "\n".join(lines)))
    complete = (replace(each, shown=shown.text_of(each.citations)) for each in asked)
    return UserMessage("\n\n".join(parts), sent, aside=True), tuple(complete)


def _range(first: int, last: int) -> str:
    return f"L{first}" if first == last else f"L{first}-{last}"


class SecondLook:
    """The requests of a second look at an answer, one after the other, and what their replies say.

    Statements that a reply says nothing readable of are asked about once more; then they are not judged.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        read: CitableLines,
        budget: int,
        count_tokens: CountTokens,
        question: str = "",
        answer_tokens: int = MOST_STATEMENTS * ANSWERED,
    ) -> None:
        """`budget` are the tokens of a request, `answer_tokens` those of its reply."""
        self._waiting = list(statements)
        self._read = read
        self._budget = min(budget, MOST_TOKENS)
        self._count = count_tokens
        self._question = question
        self._most = max(answer_tokens // ANSWERED, 1)
        self._asked: tuple[Statement, ...] = ()
        self._unread: tuple[Statement, ...] = ()  # are asked about once more
        self._again = False
        self.judgments: dict[StatementKey, Judgment] = {}
        self.asked = 0  # statements

    @property
    def schema(self) -> str:
        """The JSON Schema of the reply to the last request; none if the one before could not be read."""
        return "" if self._again else schema_of(len(self._asked))

    def request(self) -> UserMessage | None:
        """Return the next request, None if nothing is left to ask."""
        self._again = bool(self._unread)
        statements: Sequence[Statement] = self._unread or self._waiting
        while statements:
            message, self._asked = look_request(
                statements, self._read, self._budget, self._count, self._question, self._most
            )
            if self._asked:
                if not self._again:
                    self.asked += len(self._asked)
                    del self._waiting[: len(self._asked)]
                return message
            if self._again:
                return None
            del self._waiting[0]  # there is no room for it
            statements = self._waiting
        return None

    def take(self, reply: str) -> None:
        """Take the reply to the last request; an empty one if it failed."""
        judgments, unread = judged_in(reply, self._asked)
        self.judgments |= judgments
        if self._again:
            self._unread = ()
            if len(unread) == len(self._asked):
                self._waiting.clear()  # this model's replies cannot be read
        else:
            self._unread = unread

    def give_up(self) -> None:
        """Ask nothing more."""
        self._waiting.clear()
        self._unread = ()


def read_judgments(reply: str, asked: Sequence[Statement]) -> Mapping[StatementKey, Judgment]:
    """Return the judgments of a reply.

    Left out are those without words of the cited lines, contradictions in the statement's own words, silence about
    lines that were not all shown, and all that is said of a statement in two ways.
    """
    return judged_in(reply, asked)[0]


def judged_in(reply: str, asked: Sequence[Statement]) -> tuple[Mapping[StatementKey, Judgment], tuple[Statement, ...]]:
    """Return the judgments of a reply, and the statements of which it says nothing that can be read."""
    found: dict[StatementKey, Judgment | None] = {}
    read: set[StatementKey] = set()
    says: dict[StatementKey, set[Says]] = {}
    for entry in read_entries(reply, [each.text for each in asked]):
        statement = asked[entry.number - 1]
        read.add(statement.key)
        says.setdefault(statement.key, set()).add(entry.says)
        judgment = _judgment(entry.says, entry.written, statement)
        found[statement.key] = judgment if found.get(statement.key, judgment) == judgment else None
    judgments = {key: each for key, each in found.items() if each is not None and len(says[key]) == 1}
    return judgments, tuple(each for each in asked if each.key not in read)


def _judgment(says: Says, written: Sequence[str], statement: Statement) -> Judgment | None:
    match says:
        case "silent":
            return None if statement.cut else Judgment("silent")
        case "says":
            words = _words_there(written, statement)
            return Judgment("says", words) if words else None
        case "contradicts":
            words = _words_there(written, statement, own=_folded(statement.text))
            return Judgment("contradicts", words) if words and _folded(words) not in _folded(statement.text) else None


def _words_there(written: Sequence[str], statement: Statement, own: str = "") -> str:
    """Return the quoted words that stand in the cited lines, if the others stand in what is around them; else "".

    Of a contradiction, words of the statement's `own` that the lines do not have only say what is contradicted.
    """
    citations = statement.citations
    cited = [_folded("\n".join(cited_lines(each).values())) for each in citations]
    around = [_folded(f"{each.columns}\n{each.section}\n{each.title}\n{each.passage}") for each in citations]
    around.append(_folded(statement.shown))
    for quoted in quotations(written):
        parts = [part for each in quoted for part in _parts(each, around)]
        parts = [part for part in parts if _stands_in(part, around) or not (own and _folded(part) in own)]
        there = [part for part in parts if _stands_in(part, cited)]
        if there and all(_stands_in(part, around) for part in parts):
            return " … ".join(there)
    return ""


def _parts(quoted: str, around: Sequence[str]) -> list[str]:
    """Return the parts of a quotation, without the numbers of lines that the request shows and the lines lack."""
    parts: list[str] = []
    whole = _bare(quoted)
    if len(whole) >= _LEAST_WORDS and _stands_in(whole, around):
        return [whole]
    for part in map(_bare, _PARTS.split(quoted)):
        parts += [part] if _stands_in(part, around) else map(_bare, _LINE_NUMBER.split(part))
    return [part for part in parts if len(part) >= _LEAST_WORDS and _LETTER.search(part)]


def _bare(part: str) -> str:
    """Return a part without the marks around it; a bracket that stands inside is closed."""
    bare = part.strip().strip(_MARKS)
    return f"{bare})" if bare.count("(") > bare.count(")") and f"{bare})" in part else bare


def _stands_in(part: str, texts: Sequence[str]) -> bool:
    folded = _folded(part)
    return bool(_LETTER.search(folded)) and any(folded in text for text in texts)


def _folded(text: str) -> str:
    return fold_quote(_CELLS.sub(" ", text)).strip(_MARKS)
