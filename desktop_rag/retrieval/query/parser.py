"""The query language: AND OR NOT ( ), + -, "phrases", "near words"~5, fields, ^boosts, wild*cards, fuzzy~1, =Spelled.

AND binds more tightly than OR, and both more tightly than juxtaposition. A clause with an operator ("a phrase",
ext:pdf) is always required, whatever the default operator; plain words beside it only rank. Anything else is words, so
a question in plain language is a query too: a title or saying that it quotes lifts what has it, and requires nothing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from desktop_rag.errors import LibraryError, QueryError
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, terms
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.retrieval.query.date_ranges import Period, period, side_of_range, similar
from desktop_rag.retrieval.query.tokenizer import QueryToken, QueryTokenKind, bare, is_code, tokens
from desktop_rag.retrieval.query.tree import (
    DATE_FIELDS,
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    FileField,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    Wildcard,
    Word,
    binds,
    demanded,
    is_about_files,
    join_all,
    split,
)
from desktop_rag.text.language_detection import is_asked

MAX_DEPTH = 40
MAX_LEAVES = 512
MAX_REPAIRS = 60  # errors of one query
MAX_DISTANCE = 2
MAX_SLOP = 100
_MANY_WORDS = 5  # outside of quotation marks: such a query is a question, also without a question mark
LIFT = 0.25  # weight of a phrase that a question quotes, beside its words: from .05 to .5 it makes no difference

_PIECE = re.compile(r"[\w*?]+")
_WILDCARD = re.compile(r"\w+(?:[*?]\w*)+")
_DAY = r"(?:\d{4}(?:-?(?:q[1-4]|\d\d(?:-?\d\d)?))?|today|yesterday|(?:this|last)\s(?:day|week|month|quarter|year))"
_TO = r"(?:\s+(?:TO|until|-)\s+|\s*(?:\.{2,3}|[–—])\s*|(?<=\d{4})-)"
_BARE_RANGE = re.compile(rf"({_DAY}){_TO}({_DAY})(?![\w-])", re.IGNORECASE)

_Field = TextField | FileField


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: `words` is searched in texts, `files` is a condition on the files."""

    text: str
    words: Node | None
    files: Node | None


def parse(text: str, *, default_and: bool = False, today: date | None = None) -> Query:
    """Parse a query; raise `QueryError` with the position of the first error and a query without any error."""
    day = today or date.today()
    try:
        return _parse_once(text, default_and=default_and, today=day)
    except QueryError as error:
        repair = _without_errors(error.suggestion, default_and=default_and, today=day)
        raise QueryError(str(error), error.position, repair) from error


def _without_errors(repair: str, *, default_and: bool, today: date) -> str:
    """Return a repair of one error with its other errors repaired too; empty if nothing to find would be left."""
    for _ in range(MAX_REPAIRS):
        try:
            query = _parse_once(repair, default_and=default_and, today=today)
        except QueryError as error:
            repair = error.suggestion
        else:
            return repair if query.words or query.files else ""
    return ""


def _parse_once(text: str, *, default_and: bool, today: date) -> Query:
    parser = _Parser(text, default_and=default_and, today=today)
    words, files = split(parser.parse())
    return Query(text, words, files)


@dataclass(frozen=True, slots=True)
class _Required:
    """A clause marked with +; exists only until its sequence is joined."""

    node: Node


_Clause = Node | _Required | None


class _Parser:
    def __init__(self, text: str, *, default_and: bool, today: date) -> None:
        self._text = text
        self._default_and = default_and
        self._today = today
        self._tokens = list(tokens(text))
        self._next = 0
        self._lifts = not default_and and _quotes_in_question(text, self._tokens)
        if len(self._tokens) > MAX_LEAVES:
            position = self._tokens[MAX_LEAVES].position
            message = f"This query has more than {MAX_LEAVES} words."
            raise QueryError(message, position, text[:position].rstrip())

    def parse(self) -> Node | None:
        node = self._sequence(TextField.ANY, depth=0)
        if (extra := self._peek()) is not None:
            without = self._text[: extra.position] + self._text[extra.position + 1 :]
            raise QueryError("This bracket closes nothing.", extra.position, without)
        return node

    def _peek(self) -> QueryToken | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _accept(self, *kinds: QueryTokenKind) -> QueryToken | None:
        token = self._peek()
        if token is None or token.kind not in kinds:
            return None
        self._next += 1
        return token

    def _sequence(self, field: _Field, depth: int) -> Node | None:
        clauses: list[_Clause] = []
        while (token := self._peek()) is not None and token.kind is not QueryTokenKind.CLOSE:
            clauses.append(self._either(field, depth))
        return _join_sequence(clauses, default_and=self._default_and)

    def _either(self, field: _Field, depth: int) -> _Clause:
        clauses = [self._both(field, depth)]
        while operator := self._accept(QueryTokenKind.OR):
            self._need_operand(operator)
            clauses.append(self._both(field, depth))
        if len(clauses) == 1:
            return clauses[0]
        parts = tuple(node for clause in clauses if (node := _plain(clause)) is not None)
        return Either(parts, typed=True) if len(parts) > 1 else next(iter(parts), None)

    def _both(self, field: _Field, depth: int) -> _Clause:
        clauses = [self._clause(field, depth)]
        while operator := self._accept(QueryTokenKind.AND):
            self._need_operand(operator)
            clauses.append(self._clause(field, depth))
        if len(clauses) == 1:
            return clauses[0]
        nodes = tuple(node for clause in clauses if (node := _plain(clause)) is not None)
        if sum(not is_about_files(node) for node in nodes) == 1:  # the others are no words: budget AND ext:txt
            nodes = tuple(map(demanded, nodes))
        return join_all(nodes)

    def _need_operand(self, operator: QueryToken) -> None:
        token = self._peek()
        if token is None or token.kind in {QueryTokenKind.CLOSE, QueryTokenKind.AND, QueryTokenKind.OR}:
            raise self._dangling(operator, "Something must follow")

    def _dangling(self, operator: QueryToken, problem: str) -> QueryError:
        start, end = operator.position, operator.position + len(operator.text)
        without = f"{self._text[:start].rstrip()} {self._text[end:].lstrip()}".strip()
        message = f"{problem} {operator.text}. To look for the word itself, write it in small letters."
        return QueryError(message, start, without)

    def _clause(self, field: _Field, depth: int) -> _Clause:
        negated = required = False
        while prefix := self._accept(QueryTokenKind.NOT, QueryTokenKind.PROHIBIT, QueryTokenKind.REQUIRE):
            if prefix.kind is QueryTokenKind.REQUIRE:
                required = True
                continue
            negated = not negated
            if prefix.kind is QueryTokenKind.NOT:
                self._need_operand(prefix)
        node = self._operand(field, depth)
        if node is None:
            return None
        if negated:
            return Not(node)
        return _Required(node) if required else node

    def _operand(self, field: _Field, depth: int) -> Node | None:
        while named := self._accept(QueryTokenKind.FIELD):
            field = _field_named(named.text)
        token = self._peek()
        if token is None:
            return None
        if token.kind in {QueryTokenKind.AND, QueryTokenKind.OR}:
            raise self._dangling(token, "Something must stand before")
        self._next += 1
        match token.kind:
            case QueryTokenKind.OPEN:
                return self._group(token, field, depth)
            case QueryTokenKind.PHRASE:
                return self._phrase(token, field)
            case QueryTokenKind.RANGE:
                return self._range(token, field)
            case QueryTokenKind.WORD:
                return self._word(token, field)
            case QueryTokenKind.SPELLED:
                if isinstance(field, FileField):
                    return self._file_condition(token, field)
                return Spelled(token.text, field, token.boost)
            case _:
                self._next -= 1  # an operator or bracket, which the caller consumes or reports
                return None

    def _group(self, opened: QueryToken, field: _Field, depth: int) -> Node | None:
        if depth >= MAX_DEPTH:
            raise QueryError("There are too many brackets inside each other.", opened.position)
        node = self._sequence(field, depth + 1)
        closed = self._accept(QueryTokenKind.CLOSE)
        if closed is None:
            empty = node is None and self._next == len(self._tokens)  # nothing to close it around
            better = self._text[: opened.position].rstrip() if empty else self._text + ")"
            raise QueryError("This bracket is never closed.", opened.position, better)
        return Boosted(node, closed.boost) if node is not None and closed.boost != 1.0 else node

    def _phrase(self, token: QueryToken, field: _Field) -> Node | None:
        if isinstance(field, FileField):
            return self._file_condition(token, field)
        if token.tilde == -1:
            at = token.position + len(token.text) + 2
            suggestion = f"{self._text[:at]}~5{self._text[at + 1 :]}"
            raise QueryError("Say how many words may stand between, for example ~5.", at, suggestion)
        if not bare(token.text):
            return None
        if self._lifts:
            words = (Word(word) for part in token.text.split() if (word := bare(part)))
            return Either((*words, Phrase(token.text, boost=LIFT, lifts=True)))
        return Phrase(token.text, min(token.tilde or 0, MAX_SLOP), field, token.boost)

    def _word(self, token: QueryToken, field: _Field) -> Node | None:
        if isinstance(field, FileField):
            return self._file_condition(token, field)
        text = bare(token.text)
        stars_only = token.text.strip("*") == ""
        if not text or stars_only:
            return None
        if text.startswith("*"):
            suggestion = f"{self._text[: token.position]}{text.strip('*')}*{self._after(token)}"
            raise QueryError("A word cannot begin with *.", token.position, suggestion)
        if "*" in text and is_code(text.replace("*", "")) and text[0].isalnum():
            return Wildcard(text, field, token.boost)
        if "*" in text or (token.tilde is not None and not text.isalnum()):
            pieces = (piece.lstrip("*?") for piece in _PIECE.findall(text))
            return join_all(self._piece(token, piece, field) for piece in pieces if piece)
        return self._piece(token, text, field)

    def _piece(self, token: QueryToken, text: str, field: TextField) -> Node:
        if _WILDCARD.fullmatch(text):
            return Wildcard(text, field, token.boost)
        return self._fuzzy(token, text, field) if token.tilde else Word(text, field, token.boost)

    def _fuzzy(self, token: QueryToken, text: str, field: TextField) -> Node:
        distance = MAX_DISTANCE if token.tilde is None or token.tilde < 0 else token.tilde
        if distance > MAX_DISTANCE:
            at = token.position + len(token.text)
            suggestion = f"{self._text[: at + 1]}{MAX_DISTANCE}{self._text[at + 1 + len(str(distance)) :]}"
            raise QueryError(f"At most {MAX_DISTANCE} letters of a word may differ.", at, suggestion)
        return Fuzzy(text, distance, field, token.boost)

    def _after(self, token: QueryToken) -> str:
        return self._text[token.position + len(token.text) :]

    def _file_condition(self, token: QueryToken, field: FileField) -> Node | None:
        text = token.text.strip()
        if field in DATE_FIELDS:
            self._refuse_bare_range(token)
            return self._dated(self._period(text, token.position, period(text, self._today)), field, token)
        quoted = field is FileField.SUBJECT and token.kind is not QueryTokenKind.WORD
        return FileFact(field, text, quoted) if text else None

    def _refuse_bare_range(self, token: QueryToken) -> None:
        """Refuse `2020 TO 2024` and `2020..2024`, which would be one date and a word, or no date."""
        found = _BARE_RANGE.match(self._text, token.position)
        if found is None or None in (side_of_range(side, self._today) for side in found.groups()):
            return
        if found.end() > token.position + len(token.text) or period(token.text, self._today) is None:
            better = f"{self._text[: found.start()]}[{found[1]} TO {found[2]}]{self._text[found.end() :]}"
            raise QueryError("A range is written in square brackets: [from TO to].", token.position, better)

    def _period(self, text: str, position: int, found: Period | None) -> Period:
        if found is None:
            start = self._text.index(text, position)
            meant, better = self._meant(text, start)
            suggestion = f"{self._text[:start]}{better}{self._text[start + len(meant) :]}"
            raise QueryError(f"“{text}” is not a date; write 2024, 2024-03-15, today or last week.", start, suggestion)
        return found

    def _meant(self, text: str, start: int) -> tuple[str, str]:
        """Return the misspelled date from `start` on, of up to three words, and the date to suggest for it."""
        for words in (3, 2, 1):
            found = re.match(rf"[\w./-]+(?:\s+(?!(?:TO|OR|AND|NOT)\b)[\w./-]+){{{words - 1}}}", self._text[start:])
            if found and (better := similar(found.group())):
                return found.group(), better
        return text, f"{self._today:%Y-%m-%d}"

    def _range(self, token: QueryToken, field: _Field) -> Node:
        if not isinstance(field, FileField) or field not in DATE_FIELDS:
            named = re.search(r"\w+:$", self._text[: token.position])
            suggestion = (
                f"{self._text[: named.start() if named else token.position]}date:{self._text[token.position :]}"
            )
            raise QueryError("Only date:, sent: and modified: take a range.", token.position, suggestion)
        low, high = re.split(r"\s+TO\s+", token.text[1:-1].strip(), maxsplit=1)
        since = self._period(low, token.position, side_of_range(low, self._today))
        at_high = self._text.rindex(high, 0, token.position + len(token.text))
        until = self._period(high, at_high, side_of_range(high, self._today))
        first = since.end if token.text[0] == "{" else since.first
        end = until.end if token.text[-1] == "]" else until.first
        return self._dated(Period(first, end), field, token, f"[{high} TO {low}]")

    def _dated(self, days: Period, field: FileField, token: QueryToken, turned: str = "") -> Dated:
        if days.empty:
            suggestion = self._text.replace(token.text, turned, 1)
            raise QueryError("This range ends before it begins.", token.position, suggestion)
        return Dated(days.since_ns, days.until_ns, field, days.month)


def _quotes_in_question(text: str, found: Sequence[QueryToken]) -> bool:
    """Return whether a query is a question or sentence with quotation marks, without any operator."""
    plain = {QueryTokenKind.WORD, QueryTokenKind.PHRASE, QueryTokenKind.OPEN, QueryTokenKind.CLOSE}
    if any(
        token.kind not in plain or token.tilde is not None or token.boost != 1.0 or "*" in bare(token.text)
        for token in found
    ):
        return False
    words = sum(token.kind is QueryTokenKind.WORD and bool(bare(token.text)) for token in found)
    return words >= _MANY_WORDS or (words > 0 and is_asked(text))


def _field_named(name: str) -> _Field:
    return TextField(name) if name in set(TextField) else FileField(name)


def _plain(clause: _Clause) -> Node | None:
    return clause.node if isinstance(clause, _Required) else clause


def _is_stop_word(node: Node) -> bool:
    return isinstance(node, Word) and node.field is TextField.ANY and fold(node.text) in STOP_WORDS


def _join_sequence(clauses: list[_Clause], *, default_and: bool) -> Node | None:
    """Join juxtaposed clauses by the default operator; + or an operator inside makes a clause required."""
    required: list[Node] = []
    optional: list[Node] = []
    conditions: list[Node] = []
    for clause in clauses:
        node = _plain(clause)
        if node is None:
            continue
        if isinstance(node, Not) or is_about_files(node):
            conditions.append(node)
        elif isinstance(clause, _Required) or (default_and and not _is_stop_word(node)) or binds(node):
            required.append(node)
        else:
            optional.append(node)
    preferred = Either(tuple(optional)) if len(optional) > 1 else next(iter(optional), None)
    core = join_all(required)
    if core is not None and preferred is not None:
        core = Prefer(core, preferred)
    elif core is not None and any(isinstance(clause, _Required) for clause in clauses):
        core = demanded(core)
    core = core or preferred
    return join_all((core, *conditions))


# A query while the user is typing: a last word that no document has matches as a prefix, too.

MIN_LETTERS = 2
_PREFIX_WEIGHT = 0.5  # of a prefix match, relative to the word itself


def unfinished(query: Query, is_whole: Callable[[str], bool]) -> Query:
    """Replace the last word, if the text ends with it and `is_whole` denies it, by the word or its prefix wildcard.

    A whole word is not changed, so that typing it and searching for it find the same.
    """
    if query.words is None:
        return query
    return Query(query.text, _with_prefix(query.words, query.text, is_whole), query.files)


def is_indexed(keywords: Callable[[], KeywordReader], word: str) -> bool:
    """Return whether a document has `word`, or all have it; False if the index cannot be read."""
    folded = [term.text for term in terms(word, query=True)]
    try:
        return bool(folded) and all(text in STOP_WORDS or keywords().vocabulary(text, 1) == [text] for text in folded)
    except LibraryError:
        return False


def _with_prefix(node: Node, text: str, is_whole: Callable[[str], bool]) -> Node:
    match node:
        case Word(word, field, boost) if len(word) >= MIN_LETTERS and word.isalnum() and text.endswith(word):
            if is_whole(word):
                return node
            return Either((node, Wildcard(f"{word}*", field, boost * _PREFIX_WEIGHT)))
        case All(parts):
            return All((*parts[:-1], _with_prefix(parts[-1], text, is_whole)))
        case Either(parts):
            return Either((*parts[:-1], _with_prefix(parts[-1], text, is_whole)))
        case Prefer(required, optional):
            return Prefer(required, _with_prefix(optional, text, is_whole))
        case Boosted():
            return node  # the text ends with its bracket or boost
        case _:
            return node
