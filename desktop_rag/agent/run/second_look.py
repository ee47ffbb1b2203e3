"""The second look: the model compares statements of an answer with the lines they cite, and with nothing else.

The program compares words, names and figures; it doubts a statement in other words, and passes one that exchanges who
did what. The model is asked for the words that decide, and a judgment counts only if the lines have them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.events import Citation, Claim, Judgment
from desktop_rag.agent.prompts import mark_as_data, ordering
from desktop_rag.agent.tools.numbered_lines import number_lines
from desktop_rag.llm.chat import Evidence, UserMessage, document_label
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.normalize import fold_quote

MOST_STATEMENTS = 24  # of one request
MOST_TOKENS = 12_000  # of one request
STATEMENT = 600  # characters of a statement in the request
AROUND = 700  # tokens of the lines of a source up to which those around them are shown, too
SOURCE = 4_000  # tokens of the cited lines of one source
MOST_AROUND = 3  # lines after the cited ones
HEADER = 40  # tokens of a source's heading, and of a statement's number
_NOTICE = 60  # tokens of what marks the lines as data
_MARKS = ' .,;:|"“”'
_LEAST_WORDS = 3  # characters of the words that decide
_JUDGED = re.compile(r"\W*(\d{1,2})\W+(says|contradicts|silent)\b(.*)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«「]([^\"“”„«»「」]+)[\"”“»」]")
_WHOLE = re.compile(r"[\"“„«「](.+)[\"”“»」]")
_CELLS = re.compile(r"\s*[|\t]\s*")


Place = tuple[str, int, int]  # of cited lines: the document's checksum, the first and the last line
StatementKey = tuple[str, tuple[Place, ...]]  # the text without links, and what it cites


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement without its links, and the citations it is compared with."""

    text: str
    citations: tuple[Citation, ...]
    cut: bool = False  # not all cited lines were shown

    @property
    def key(self) -> StatementKey:
        """What the judgment belongs to: the same words with another source are another statement."""
        return self.text, tuple(map(_place, self.citations))


def statement_of(text: str, claim: Claim, citations: Sequence[Citation]) -> Statement:
    """Return a claim of an answer as a statement in one line, with the citations it names."""
    cited = tuple(each for each in citations if each.number in claim.citations)
    return Statement(one_line(LINK.sub("", text[claim.start : claim.end])).strip(), cited)


def statements_of(text: str, claims: Sequence[Claim], citations: Sequence[Citation]) -> tuple[Statement, ...]:
    """Return the statements of an answer that may be looked at: those with sources, without bare quotations.

    Words that stand nowhere get no second look.
    """
    found = (statement_of(text, claim, citations) for claim in claims if _may_be_judged(claim))
    return tuple({each.key: each for each in found if each.citations}.values())


def _may_be_judged(claim: Claim) -> bool:
    invented = claim.altered is not None and not claim.altered.found
    return not invented and claim.mark not in ("quoted", "uncited")


def look_request(
    statements: Sequence[Statement], read: CitableLines, budget: int, count_tokens: Callable[[str], int]
) -> tuple[UserMessage, tuple[Statement, ...]]:
    """Return the request with as many of the statements as fit `budget` tokens, and these statements.

    Of the lines around the cited ones only those `read` are shown.
    """
    shown: dict[Place, tuple[int, str, Evidence]] = {}
    asked: list[Statement] = []
    lines: list[str] = []
    left = budget - _NOTICE
    for statement in statements[:MOST_STATEMENTS]:
        words = shorten(statement.text, STATEMENT)
        new = {_place(each): each for each in statement.citations if _place(each) not in shown}
        sources = [(place, *_source(each, read, count_tokens)) for place, each in new.items()]
        cost = sum(count_tokens(text) + HEADER for _, text, _ in sources) + count_tokens(words) + HEADER
        if cost > left:
            break
        left -= cost
        for place, text, evidence in sources:
            shown[place] = (len(shown) + 1, text, evidence)
        cited = [shown[_place(each)][2] for each in statement.citations]
        asked.append(replace(statement, cut=any(map(_is_cut, cited, statement.citations))))
        numbers = " ".join(f"[{shown[_place(each)][0]}]" for each in statement.citations)
        lines.append(f"{len(asked)}. {numbers} {words}")
    sent = tuple(each for _, _, each in shown.values())
    data = "\n\n".join(f"[{number}] {text}" for number, text, _ in shown.values())
    parts = ("Lines:", mark_as_data(data, ordering(sent)), "Statements:", "\n".join(lines))
    return UserMessage("\n\n".join(parts), sent, aside=True), tuple(asked)


def _place(citation: Citation) -> Place:
    return citation.sha256, citation.first_line, citation.last_line


def _cited_lines(citation: Citation) -> list[str]:
    begin = citation.first_line - citation.passage_first_line
    return citation.passage.split("\n")[begin : begin + citation.last_line - citation.first_line + 1]


def _is_cut(shown: Evidence, citation: Citation) -> bool:
    """Return whether not all cited lines of a source are shown."""
    cited, start = _cited_lines(citation), citation.first_line - shown.first_line
    return list(shown.lines[start : start + len(cited)]) != cited


def _source(citation: Citation, read: CitableLines, count_tokens: Callable[[str], int]) -> tuple[str, Evidence]:
    """Return the cited lines of a source under its names, with the lines read around them if there is room."""
    known = read.within(citation.content, citation.passage_first_line, citation.last_line + MOST_AROUND)
    begin, after_last = citation.first_line, citation.last_line + 1
    lines = [known.get(number, "") for number in range(begin, after_last)]
    before, after = list[str](), list[str]()
    while begin - len(before) - 1 in known:
        before.insert(0, known[begin - len(before) - 1])
    while after_last + len(after) in known:
        after.append(known[after_last + len(after)])
    if count_tokens("\n".join((*before, *lines, *after))) <= AROUND:
        lines, begin = [*before, *lines, *after], begin - len(before)
    numbered = number_lines(lines, begin, SOURCE, count_tokens)
    name = citation.path.replace("\\", "/").rpartition("/")[2]
    head = " · ".join(filter(None, (document_label(name, citation.title), citation.section, citation.columns)))
    cited = f"lines {citation.first_line}–{citation.last_line}"
    evidence = Evidence(citation.reference, citation.title, begin, numbered.lines, file=name, path=citation.path)
    return f"{head} ({cited} are cited)\n{numbered.text}", evidence


def read_judgments(reply: str, asked: Sequence[Statement]) -> Mapping[StatementKey, Judgment]:
    """Return the judgments of a reply.

    Left out are those without words of the cited lines, contradictions in the statement's own words, silence about
    lines that were not all shown, and all that is said of a statement in two ways.
    """
    found: dict[StatementKey, Judgment | None] = {}
    for line in reply.splitlines():
        match = _JUDGED.match(line)
        if match and 1 <= int(match[1]) <= len(asked):
            statement = asked[int(match[1]) - 1]
            judgment = _judgment(match[2].lower(), match[3], statement)
            found[statement.key] = judgment if found.get(statement.key, judgment) == judgment else None
    return {key: judgment for key, judgment in found.items() if judgment is not None}


def _judgment(says: str, written: str, statement: Statement) -> Judgment | None:
    words = _words_there(written, statement.citations)
    match says:
        case "silent" if not statement.cut:
            return Judgment("silent")
        case "says" if words:
            return Judgment("says", words)
        case "contradicts" if words and _folded(words) not in _folded(statement.text):
            return Judgment("contradicts", words)
        case _:
            return None


def _words_there(written: str, citations: Sequence[Citation]) -> str:
    """Return the quoted words that stand in the cited lines, if the others stand in what is around them; else ""."""
    cited = [_folded("\n".join(_cited_lines(each))) for each in citations]
    around = [_folded(f"{each.columns}\n{each.section}\n{each.title}\n{each.passage}") for each in citations]
    for quoted in (_QUOTED.findall(written), _WHOLE.findall(written)):
        parts = [part.strip(_MARKS) for each in quoted for part in re.split(r"…|\.\.\.", each)]
        parts = [part for part in parts if len(part) >= _LEAST_WORDS]
        if parts and all(any(_folded(part) in text for text in around) for part in parts):
            return " … ".join(part for part in parts if any(_folded(part) in text for text in cited))
    return ""


def _folded(text: str) -> str:
    return fold_quote(_CELLS.sub(" ", text)).strip(_MARKS)
