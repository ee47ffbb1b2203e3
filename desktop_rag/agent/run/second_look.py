"""The second look: the model compares statements of an answer with the lines they cite, and with nothing else.

The program compares words, names and figures; it doubts a statement in other words, and passes one that exchanges who
did what. The model is asked for the words that decide, and a judgment counts only if the lines have them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.wording import SUPPORTED
from desktop_rag.agent.events import Citation, Claim, ClaimFault, Judgment
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
HEADER = 40  # tokens of a source's heading, and of a statement's number
_NOTICE = 60  # tokens of what marks the lines as data
_MARKS = ' .,;:|"“”'
_LEAST_WORDS = 3  # characters of the words that decide
_JUDGED = re.compile(r"\W*(\d{1,2})\W+(says|contradicts|silent)\b(.*)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«「]([^\"“”„«»「」]+)[\"”“»」]")
_WHOLE = re.compile(r"[\"“„«「](.+)[\"”“»」]")
_CELLS = re.compile(r"\s*[|\t]\s*")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement without its links, and the citations it is compared with."""

    text: str
    citations: tuple[Citation, ...]
    cut: bool = False  # not all cited lines were shown


def statements_of(text: str, claims: Sequence[Claim], citations: Sequence[Citation]) -> tuple[Statement, ...]:
    """Return the statements of an answer that may be looked at: those with sources, without bare quotations and sums.

    What the program computed from cited figures needs no second look; words that stand nowhere get none.
    """
    by_number = {citation.number: citation for citation in citations}
    found: dict[str, Statement] = {}
    for claim in claims:
        cited = tuple(by_number[number] for number in claim.citations if number in by_number)
        if cited and _may_be_judged(claim):
            statement = statement_text(text, claim)
            found.setdefault(statement, Statement(statement, cited))
    return tuple(found.values())


def statement_text(text: str, claim: Claim) -> str:
    """Return a statement of an answer in one line, without links: the key of its judgment."""
    return one_line(LINK.sub("", text[claim.start : claim.end])).strip()


def _may_be_judged(claim: Claim) -> bool:
    missing = any(fault.kind in ("quote", "source") for fault in claim.faults)
    return not (claim.quoted or missing) and claim.standing not in ("uncited", "computed")


def look_request(
    statements: Sequence[Statement], budget: int, count_tokens: Callable[[str], int]
) -> tuple[UserMessage, tuple[Statement, ...]]:
    """Return the request with as many of the statements as fit `budget` tokens, and these statements."""
    shown: dict[tuple[str, int, int], tuple[int, str, Evidence]] = {}
    asked: list[Statement] = []
    lines: list[str] = []
    left = budget - _NOTICE
    for statement in statements[:MOST_STATEMENTS]:
        words = shorten(statement.text, STATEMENT)
        new = {_place(each): each for each in statement.citations if _place(each) not in shown}
        sources = [(place, *_source(each, count_tokens)) for place, each in new.items()]
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
    return UserMessage("\n\n".join(parts), sent), tuple(asked)


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.sha256, citation.first_line, citation.last_line


def _is_cut(shown: Evidence, citation: Citation) -> bool:
    """Return whether not all cited lines of a source are shown."""
    begin, lines = citation.first_line - citation.passage_first_line, citation.passage.split("\n")
    cited = lines[begin : begin + citation.last_line - citation.first_line + 1]
    start = citation.first_line - shown.first_line
    return list(shown.lines[start : start + len(cited)]) != cited


def _source(citation: Citation, count_tokens: Callable[[str], int]) -> tuple[str, Evidence]:
    """Return the cited lines of a source with those around them, if there is room, under its names."""
    around = tuple(citation.passage.split("\n"))
    first, last = citation.first_line - citation.passage_first_line, citation.last_line - citation.passage_first_line
    lines, begin = around, citation.passage_first_line
    if count_tokens(citation.passage) > AROUND:
        lines, begin = around[first : last + 1], citation.first_line
    numbered = number_lines(lines, begin, SOURCE, count_tokens)
    name = citation.path.replace("\\", "/").rpartition("/")[2]
    head = " · ".join(filter(None, (document_label(name, citation.title), citation.section, citation.columns)))
    cited = f"lines {citation.first_line}–{citation.last_line}"
    evidence = Evidence(citation.reference, citation.title, begin, numbered.lines, file=name, path=citation.path)
    return f"{head} ({cited} are cited)\n{numbered.text}", evidence


def read_judgments(reply: str, asked: Sequence[Statement]) -> Mapping[str, Judgment]:
    """Return the judgments of a reply by the text of the statement.

    Left out are those whose words the lines lack, and silence about lines that were not all shown.
    """
    found: dict[str, Judgment] = {}
    for line in reply.splitlines():
        match = _JUDGED.match(line)
        if match is None or not 1 <= int(match[1]) <= len(asked):
            continue
        statement, words = asked[int(match[1]) - 1], _words_there(match[3], asked[int(match[1]) - 1].citations)
        match match[2].lower():
            case "silent" if not statement.cut:
                found.setdefault(statement.text, Judgment("silent"))
            case "says" if words:
                found.setdefault(statement.text, Judgment("says", words))
            case "contradicts" if words:
                found.setdefault(statement.text, Judgment("contradicts", words))
    return found


def _words_there(written: str, citations: Sequence[Citation]) -> str:
    """Return the quoted words of a judgment if all of them stand in what was shown of the citations, else ""."""
    texts = [_folded(f"{each.columns}\n{each.section}\n{each.title}\n{each.passage}") for each in citations]
    for quoted in (_QUOTED.findall(written), _WHOLE.findall(written)):
        parts = [part for each in quoted for part in re.split(r"…|\.\.\.", each) if part.strip(_MARKS)]
        if parts and all(any(_folded(part) in text for text in texts) for part in parts):
            words = " … ".join(part.strip(_MARKS) for part in parts)
            return words if len(words) >= _LEAST_WORDS else ""
    return ""


def _folded(text: str) -> str:
    return fold_quote(_CELLS.sub(" ", text)).strip(_MARKS)


def judged(claim: Claim, judgment: Judgment) -> Claim:
    """Return a claim with the model's judgment of it.

    What the lines say instead, found by the program, is not outvoted: only the absence of words is.
    """
    if not _may_be_judged(claim):
        return claim
    if claim.standing in SUPPORTED:
        if judgment.says == "says":
            return replace(claim, judgment=judgment)
        doubt = replace(judgment, decided=True)
        return replace(claim, standing="unsupported", faults=(ClaimFault("wording", ""),), judgment=doubt)
    if judgment.says == "says" and not any(fault.found for fault in claim.faults):
        return replace(claim, standing="supported", faults=(), judgment=replace(judgment, decided=True))
    return claim
