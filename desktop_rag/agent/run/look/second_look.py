"""The second look: a model compares statements with the lines they cite, and with nothing else.

The program compares words, names and figures; who did what, and in other words, it does not judge. The model is asked
for the words that decide, and a judgment counts only if the lines have them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.events import Judgment
from desktop_rag.agent.run.look.shown_lines import HEADER, CountTokens, ShownLines, cited_lines
from desktop_rag.agent.run.statements import STATEMENT, Statement, StatementKey
from desktop_rag.llm.chat import UserMessage
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.json_types import Json
from desktop_rag.text.normalize import fold_quote

# Reads the reply of a second look in whatever form a model writes it: JSON, a list, a table, prose around them.
#
# An entry needs the number of a statement and one of the three words, in any inflection; nothing is guessed where
# either is missing. Which of the written words count, `second_look` decides by the lines.

MOST_CHARACTERS = 60_000  # of a reply that are read
_MOST_VALUES = 400  # JSON values looked for in a reply
_MOST_WRITTEN = 4_000  # characters of an entry in which quotations are looked for
Says = Literal["says", "contradicts", "silent"]
_SAYING = r"say(?:s|ing)?|said|support(?:s|ed|ing)?|confirm(?:s|ed|ing)?|entail(?:s|ed|ing)?"
_DENYING = r"contradict(?:s|ed|ing|ion|ory)?|refut(?:es?|ed|ing)"
_SILENCE = r"silent(?:ly)?|silence"
_WORD = rf"(?P<word>{_SAYING}|{_DENYING}|{_SILENCE})\b"
_LABEL = r"(?:(?:verdict|judge?ment|answer|result|label|(?:the\s+)?(?:cited\s+)?lines?|it)\b[\W_]*)?"
# What stands between the number and the word: sources in brackets, and signs; each can be read in one way only.
_SOURCES = r"(?:\[[^\]\n]{0,60}\]|[^\w\[]|_|\[(?![^\]\n]{0,60}\]))*"
_HEAD = re.compile(
    r"[\W_]*(?:(?:statement|claim|sentence|number|no|nr|id|n)\b[\W_]*)?(?P<number>\d{1,3})(?![\d,]|\.\d)"
    r"(?:st|nd|rd|th)?(?=[\W_])(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BEGINS = re.compile(rf"{_SOURCES}{_LABEL}{_WORD}(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ONLY = re.compile(rf"{_SOURCES}{_WORD}{_SOURCES}", re.IGNORECASE)
_NOTHING = re.compile(_SOURCES)
_DENIED = re.compile(
    r"[^\w\"“”„«»「『‘’'`‚]*(?:not|nothing|no|none|neither)\b", re.IGNORECASE
)  # not in quotation marks
_NUMBER_KEY = re.compile(
    r"(?:n|no|nr|num|number|id|idx|index|#|(?:statement|claim|sentence)[\W_]*(?:n|no|nr|num|number|id|index)?)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[\W_]*(?:[a-z]{1,12}[\W_]*)?(\d{1,3})[\W_]*", re.IGNORECASE)
_WORDS_KEY = re.compile(r"words?|quot|evidence|proof|decid|excerpt|passage", re.IGNORECASE)
_KEY = re.compile(r"\"[A-Za-z_ ]{1,24}\"\s*:")
_OPENS = re.compile(r"[\[{]")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a reply says of the statement with this number: one of the three words, and what follows or proves it."""

    number: int
    says: Says
    written: tuple[str, ...]


def read_entries(reply: str, statements: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries of a reply about these statements, which it may repeat."""
    text = reply[:MOST_CHARACTERS]
    found = list(_of_json(text, len(statements))) or list(_of_text(text, statements))
    return tuple(entry for entry in found if 1 <= entry.number <= len(statements))


def schema_of(statements: int) -> str:
    """Return the JSON Schema to which a server can hold the reply about so many statements: one entry for each."""
    judgment = {
        "type": "object",
        "properties": {
            "judgment": {"type": "string", "enum": ["says", "contradicts", "silent"]},
            "words": {"type": "string"},
        },
        "required": ["judgment", "words"],
        "additionalProperties": False,
    }
    numbers = [str(number) for number in range(1, statements + 1)]
    schema = {
        "type": "object",
        "properties": {number: {"$ref": "#/$defs/judgment"} for number in numbers},
        "required": numbers,
        "additionalProperties": False,
        "$defs": {"judgment": judgment},
    }
    return json.dumps(schema)


def _says(word: str) -> Says:
    if re.fullmatch(_SAYING, word, re.IGNORECASE):
        return "says"
    return "contradicts" if re.fullmatch(_DENYING, word, re.IGNORECASE) else "silent"


def _entry(number: int, word: str, written: Sequence[str]) -> Iterator[Entry]:
    says = _says(word)
    if says != "says" or not any(map(_DENIED.match, written[:1])):  # “says nothing of it”
        yield Entry(number, says, tuple(written))


def _of_text(reply: str, statements: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries of a list or a table; what follows an entry on further lines belongs to it."""
    number, word, written = 0, "", list[str]()
    for line in reply.splitlines():
        head = _head(line, statements)
        if head is not None:
            if word:
                yield from _entry(number, word, written)
            number, word, rest = head
            written = [rest] if word else []
        elif number and not word and (begins := _BEGINS.match(line)):
            word, written = begins["word"], [begins["rest"]]
        elif word and line.strip():
            written.append(line)
    if word:
        yield from _entry(number, word, written)


def _head(line: str, statements: Sequence[str]) -> tuple[int, str, str] | None:
    """Return the number of a line that begins an entry, its word, which may be on the next line, and the rest."""
    match = _HEAD.match(f"{line} ")
    number = int(match["number"]) if match else 0
    if match is None or not 1 <= number <= len(statements):
        return None
    rest = match["rest"].replace(statements[number - 1], " ", 1)
    if line.lstrip().startswith("|"):
        return _row(number, rest)
    if begins := _BEGINS.match(rest):
        return number, begins["word"], begins["rest"]
    return (number, "", "") if _NOTHING.fullmatch(rest) else None


def _row(number: int, rest: str) -> tuple[int, str, str] | None:
    """Return the entry of a row of a table, whose columns may have any order."""
    cells = rest.strip().strip("|").split("|")
    for place, cell in enumerate(cells):
        if only := _ONLY.fullmatch(cell):
            after = "|".join(cells[place + 1 :])
            return number, only["word"], after if after.strip() else "|".join(cells[:place])
    return None


def _of_json(reply: str, most: int) -> Iterator[Entry]:
    """Yield the entries of every JSON value in a reply; of one that broke off, those that are whole."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_MOST_VALUES):
        begins = _OPENS.search(reply, at)
        if begins is None:
            return
        try:
            value, at = decoder.raw_decode(reply, begins.start())
        except (ValueError, RecursionError):
            at = begins.start() + 1
            continue
        yield from _of_value(value, most, 0)


def _of_value(value: Json, most: int, depth: int) -> Iterator[Entry]:
    if depth > 4:
        return
    if isinstance(value, list):
        made = [list(_of_value(each, most, depth + 1)) or list(_of_items(each)) for each in value]
        if not any(made) and len(value) == most:  # no numbers: one for each statement, in order
            placed = [list(_of_said(place, each)) for place, each in enumerate(value, 1)]
            made = placed if all(placed) else made
        for entries in made:
            yield from entries
    elif isinstance(value, dict):
        number = next((found for key, each in value.items() if (found := _number_in(key, each))), 0)
        if number and (entries := list(_of_said(number, value))):
            yield from entries
            return
        for key, each in value.items():
            numbered = _NUMBERED.fullmatch(key)
            said = list(_of_said(int(numbered[1]), each)) if numbered else []
            yield from said or _of_value(each, most, depth + 1)


def _number_in(key: str, value: Json) -> int:
    if not _NUMBER_KEY.fullmatch(key) or isinstance(value, bool):
        return 0
    numbered = _NUMBERED.fullmatch(value) if isinstance(value, str) else None
    return value if isinstance(value, int) else int(numbered[1]) if numbered else 0


def _of_items(value: Json) -> Iterator[Entry]:
    """Yield the entry of a list like [1, "says", "words"], or of a text like "1. says …"."""
    if isinstance(value, str):
        match = _HEAD.match(f"{value} ")
        begins = _BEGINS.match(match["rest"]) if match else None
        if match and begins:
            yield from _entry(int(match["number"]), begins["word"], [begins["rest"]])
    elif isinstance(value, list) and value and isinstance(value[0], int) and not isinstance(value[0], bool):
        yield from _of_said(value[0], value[1:])


def _of_said(number: int, value: Json) -> Iterator[Entry]:
    """Yield the entry of a statement whose number is known."""
    match value:
        case str():
            if begins := _BEGINS.match(value):
                yield from _entry(number, begins["word"], [begins["rest"]])
        case list():
            texts = _texts(value)
            if texts and (only := _ONLY.fullmatch(texts[0])):
                yield Entry(number, _says(only["word"]), tuple(texts[1:]))
            elif len(texts) == 1:
                yield from _of_said(number, texts[0])
        case dict():
            yield from _of_fields(number, value)
        case _:
            return


def _of_fields(number: int, fields: dict[str, Json]) -> Iterator[Entry]:
    said = {
        key: only["word"] for key, each in fields.items() if isinstance(each, str) and (only := _ONLY.fullmatch(each))
    }
    if not said:
        named = [key for key, each in fields.items() if _ONLY.fullmatch(key) and each not in (False, None)]
        if len(named) == 1:  # {"says": "words"}
            yield Entry(number, _says(named[0]), tuple(_texts([fields[named[0]]])))
        return
    if len({_says(word) for word in said.values()}) > 1:
        return
    others = {key: each for key, each in fields.items() if key not in said and not _number_in(key, each)}
    words = {key: each for key, each in others.items() if _WORDS_KEY.search(key)} or others
    yield Entry(number, _says(next(iter(said.values()))), tuple(_texts(list(words.values()))))


def _texts(values: Sequence[Json]) -> list[str]:
    """Return the texts of values, those of lists among them, too; each as one quotation."""
    found: list[str] = []
    for value in values:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            found += _texts(value)
    return found


_QUOTED = re.compile(r"[\"“”„«»「『]([^\"“”„«»「」『』]+)[\"”“»«」』]")
_WHOLE = re.compile(r"[\"“”„«»「『](.+)[\"”“»«」』]", re.DOTALL)
_SINGLE = re.compile(r"(?<!\w)[‘’'`‚](.+?)[’‘'`](?!\w)")
_SINGLE_WHOLE = re.compile(r"(?<!\w)[‘’'`‚](.+)[’‘'`](?!\w)", re.DOTALL)
_CITED = re.compile(r"\[[^\]\n]{0,60}\]|\((?:lines?|L|sources?|p\.?|page)\b[^)\n]{0,40}\)", re.IGNORECASE)
_TITLED = re.compile(r"[\W_]*[A-Za-z ]{2,24}:\s")


def quotations(written: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the quotations that written words may be, the likeliest reading first; each may have several parts."""
    text = _KEY.sub(" ", "\n".join(written)[:_MOST_WRITTEN]).replace('\\"', '"')
    quoted = tuple(_QUOTED.findall(text))
    if quoted:
        yield quoted
        yield tuple(_WHOLE.findall(text))
    elif single := tuple(_SINGLE.findall(text)):
        yield single
        yield tuple(_SINGLE_WHOLE.findall(text))
    plain = text.strip()
    yield (plain,)
    bare = _CITED.sub(" ", plain)
    yield (_TITLED.sub("", bare, count=1) if _TITLED.match(bare) else bare,)
    if not quoted and written and (first := written[0].strip()) and len(written) > 1:  # the rest may be a remark
        yield (_CITED.sub(" ", first),)


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


def judged_in(reply: str, asked: Sequence[Statement]) -> tuple[Mapping[StatementKey, Judgment], tuple[Statement, ...]]:
    """Return the judgments of a reply, and the statements of which it says nothing that can be read.

    Left out are judgments without words of the cited lines, contradictions in the statement's own words, silence about
    lines that were not all shown, and all that is said of a statement in two ways.
    """
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
