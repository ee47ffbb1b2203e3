"""Finds the claims of an answer and grades each by its citations.

Questions, code, the program's notes, greetings, and reports of what the run searched or missed are no claims.
Headings, titles in bold and lead-ins (“as follows:”) are claims only if they have a figure that no cited line writes. A
sentence without a citation shares those of the paragraph's next cited sentence if their lines bear it out: models often
cite several at once. A sentence with several citations is one claim for each; so is what follows its last citation, if
these lines do not bear it out. A block quotation with one citation at its end is one claim. Rows of a table share the
citations beside it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.claim_facts import ClaimFacts
from desktop_rag.agent.citations.marks import mark_of
from desktop_rag.agent.citations.source_sentences import sentence_ranges
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.stop import Stop

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r"^[\s|:*_=+-]*$")
_MARKER = re.compile(
    r"^\s*(?:(?:>|[-*+•]|\d{1,3}[.)])\s+)+(?:\[[ xX]\]\s+)?|^\s*>\s*|^ {0,3}#{1,6}\s+(?:\d{1,2}[.)]\s+)?"
)
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_WORD = re.compile(r"[^\W_]+")
_TITLE = re.compile(  # a title line
    r"^\s*(?:\*\*|__)(?:(?!\*\*|__)(?:[^.!?]|\.(?=\d)|(?<=\d)\.(?= ))){1,80}(?:\*\*|__)\s*$"
)
_LABEL_MARKS = " *_#"
_FIGURE = re.compile(r"\d")
_YES_OR_NO = re.compile(r"\W*(?:yes|no|true|false|ja|nein|oui|non|sí|si|sì)\W*", re.IGNORECASE)
_TALK = re.compile(  # to the user, about the search
    r"(?:hello|hi|hey|thanks?|thank you|as an? (?:ai|large language|language)|"
    r"you(?:['’]re| are) welcome|let me|please|if you|falls sie|si vous|would you|"
    r"good question|(?:i(?:['’]m| am) sorry, but )?i(?:['’]ll| will| can ?not| can['’]t| could not| couldn['’]t| hope| "
    r"searched| found (?:no|nothing)| have (?:searched|read|looked)| do(?: not|n['’]t) know)|(?:here|below) (?:is|are)|"
    r"do you want|note|hallo|ger(?:ne?|ne helfe)|leider|ich (?:kann|habe|hoffe)|lassen sie|bitte|hier (?:ist|sind)|"
    r"bonjour|de rien|désolé|je n['’]ai|n['’]hésitez|voici|hola|lo siento|no (?:puedo|he)|aquí)\b|"
    r"(?:the|these|your|no|none of the) (?:\w+ )?(?:documents?|files?|passages?|sources?|results?)\b|"
    r"[^:\n]{1,60}: not found\W*$",
    re.IGNORECASE,
)
_POLITE = re.compile(r"(?:sure|certainly|of course|sorry|natürlich|bien sûr|claro|hola)\b", re.IGNORECASE)
_SHORT = 5  # words of a courtesy

_TABLE = re.compile(r"^[ \t]*\|[^\n]*\n[ \t]*\|[ \t|:-]*-[ \t|:-]*\n(?:[ \t]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE)

MAX_CHECKS = 60  # of rows of tables of one answer: each takes milliseconds
MIN_TAIL = 3  # words after a citation that are a statement of their own
MAX_COUNT = 2_100  # of what follows a heading, “The 3 clauses:”, or a year in a name: “Costs in winter 2022”

MAX_BLOCK = 8_000  # characters of a paragraph that is looked at whole
MAX_PROOF = 12  # citations of an answer that may prove a result written without one
Check = Callable[[str, tuple[int, ...]], ClaimFacts]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement's offsets in the answer, the citation numbers after it, and those before it in its sentence."""

    start: int
    end: int
    numbers: tuple[int, ...]
    before: tuple[int, ...] = ()
    quoted: bool = False  # in a block quotation with one citation
    label: bool = False  # a heading, or a lead-in without a citation


def find_claims(
    text: str,
    citations: Sequence[Citation],
    check: Check,
    stop: Stop,
    notes: Sequence[tuple[int, int]] = (),
) -> tuple[Claim, ...]:
    """Return the claims of an answer, in order; `check` compares a statement with the lines of its citations.

    `notes` are the spans of the text that the program wrote: they make no claims. Raises `Stopped`.
    """
    cited = tuple(dict.fromkeys(int(link[1]) for link in LINK.finditer(text)))[:MAX_PROOF]
    grader = _Grader(text, {citation.number: citation.verdict for citation in citations}, check, cited)
    claims: list[Claim] = []
    blank = _blank(text, notes)
    for start, end in (part for block in _paragraphs(blank, stop) for part in _parts(blank, *block)):
        stop.check()
        graded: list[Claim] = []
        next_numbers: tuple[int, ...] = ()
        for sentence in reversed(list(_sentences(blank, start, end))):
            graded += reversed(grader.sentence(sentence, next_numbers))
            next_numbers = sentence[0].numbers or next_numbers
        claims += reversed(graded)
    if not claims and _YES_OR_NO.fullmatch(blank):
        claims.append(Claim(len(blank) - len(blank.lstrip()), len(blank.rstrip()), "uncited"))
    for table in _TABLE.finditer(blank):
        beside = _beside(blank, *table.span())
        inside = [each for each in claims if table.start() <= each.start < table.end()]
        shared = grader.shared_by_rows(inside, beside)
        claims = [shared.get(each.start, each) for each in claims]
    return tuple(claims)


@dataclass(frozen=True, slots=True)
class _Grader:
    """Grades the statements of one answer; `verdicts` are those of its citations by number, `cited` are all numbers."""

    text: str
    verdicts: Mapping[int, str]
    check: Check
    cited: tuple[int, ...]
    table_checks: Iterator[int] = field(default_factory=lambda: iter(range(MAX_CHECKS)))

    def sentence(self, statements: Sequence[_Statement], next_numbers: tuple[int, ...]) -> list[Claim]:
        """Return the claims of a sentence; without a citation it may share those of the next sentence."""
        first = statements[0]
        if first.label:
            return self._label(first)
        if len(statements) == 1:
            return [self._claim(first) if first.numbers else self._shared(first, next_numbers)]
        last = statements[-1]
        if last.numbers or len(statements) > 2:
            numbers = tuple(dict.fromkeys(number for each in statements for number in each.numbers))
            return [
                self._part(each, numbers) if each.numbers else self._shared(each, each.before) for each in statements
            ]
        whole = replace(first, end=last.end)
        if self._checked(last, first.numbers).is_borne_out:
            return [self._claim(whole)]
        if not self._checked(first, first.numbers).related:  # “According to the lease [1], …”
            return [self._claim(whole)]
        return [self._claim(first), Claim(last.start, last.end, "uncited")]

    def _label(self, label: _Statement) -> list[Claim]:
        """Return a heading or lead-in as a claim if the lines cited in or after it, or else all, lack its figures."""
        after = tuple(dict.fromkeys(int(link[1]) for link in LINK.finditer(self.text, label.end)))
        facts = self._checked(label, label.numbers or after[:MAX_PROOF] or self.cited)
        missing = [each for each in facts.missing if _FIGURE.search(each)]
        if not facts.altered and all(each.isdigit() and int(each) <= MAX_COUNT for each in missing):
            return []
        return [self._claim(label) if label.numbers else Claim(label.start, label.end, "uncited")]

    def shared_by_rows(self, claims: Sequence[Claim], beside: Sequence[tuple[int, ...]]) -> Mapping[int, Claim]:
        """Return the uncited rows of a table, by offset, with the citations beside it that bear one of them out."""
        uncited = [_Statement(each.start, each.end, ()) for each in claims if each.mark == "uncited"]
        fitting = next((numbers for numbers in beside if numbers and self._is_source(numbers, uncited)), ())
        return {each.start: self._claim(replace(each, numbers=fitting)) for each in uncited if fitting}

    def _is_source(self, numbers: tuple[int, ...], rows: Sequence[_Statement]) -> bool:
        checked = zip(rows, self.table_checks, strict=False)
        return any(self._checked(each, numbers).is_borne_out for each, _ in checked)

    def _part(self, statement: _Statement, numbers: tuple[int, ...]) -> Claim:
        """Return a part of a sentence, whose figures may be computed from all lines that the sentence cites."""
        claim = self._claim(statement)
        if claim.mark != "missing":
            return claim
        whole = self._claim(replace(statement, numbers=numbers))
        return whole if whole.mark == "computed" else claim

    def _checked(self, statement: _Statement, numbers: tuple[int, ...]) -> ClaimFacts:
        return self.check(LINK.sub(" ", self.text[statement.start : statement.end]), numbers)

    def _shared(self, statement: _Statement, numbers: tuple[int, ...]) -> Claim:
        """Return an uncited statement, supported if the lines of other citations support it, or have it word for word.

        A result may stand before or after its proof: it is computed if the answer cites all operands.
        """
        if numbers and self._checked(statement, numbers).is_borne_out:
            return self._claim(replace(statement, numbers=numbers))
        proof = self._checked(statement, self.cited)
        if proof.quoted:
            number = next(each for each in self.cited if self._checked(statement, (each,)).quoted)
            return self._claim(replace(statement, numbers=(number,)))
        if proof.operands and proof.is_borne_out:
            numbers = tuple(dict.fromkeys(operand.citation for operand in proof.operands))
            return replace(self._claim(replace(statement, numbers=numbers)), mark="computed")
        return Claim(statement.start, statement.end, "uncited")

    def _claim(self, statement: _Statement) -> Claim:
        facts = self._checked(statement, statement.numbers)
        verbatim = all(self.verdicts.get(number) == "verbatim" for number in statement.numbers)
        mark = mark_of(
            cited=bool(statement.numbers),
            quoted=facts.quoted or (statement.quoted and facts.stands and verbatim),
            altered=facts.altered,
            computed=bool(facts.computed) and not facts.missing,
            missing=bool(facts.missing),
            judgment=None,
        )
        return Claim(
            statement.start,
            statement.end,
            mark,
            statement.numbers,
            facts.altered,
            facts.missing,
            facts.computed,
            facts.operands,
        )


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return `text` with spaces instead of the letters in `spans`; all offsets and line breaks stay."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _beside(text: str, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """Return the citations after a table, before it, and in its rows: models cite a table once."""
    after, before = text[end:].lstrip("\n").partition("\n\n")[0], text[:start].rstrip("\n").rpartition("\n\n")[2]
    found = [[int(link[1]) for link in LINK.finditer(part)] for part in (after, before, text[start:end])]
    return tuple(tuple(dict.fromkeys(numbers)) for numbers in found)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a block, in parts if it is longer than any that is meant to be read, divided at spaces."""
    while end - start > MAX_BLOCK:
        space = text.rfind(" ", start + MAX_BLOCK // 2, start + MAX_BLOCK)
        cut = space if space > 0 else start + MAX_BLOCK
        yield start, cut
        start = cut
    yield start, end


def _paragraphs(text: str, stop: Stop) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each block of lines: a paragraph, a list item, a table row."""
    for _, group in groupby(_numbered_lines(text, stop), key=lambda line: line[0]):
        lines = list(group)
        yield lines[0][1], lines[-1][2]


def _numbered_lines(text: str, stop: Stop) -> Iterator[tuple[int, int, int]]:
    """Yield block number, start and end of each line that can hold a statement."""
    offset = number = 0
    fenced = continues = False
    lines = text.split("\n")
    last = max((index for index, line in enumerate(lines) if line.strip()), default=0)
    for index, line in enumerate(lines):
        stop.check()
        start, offset = offset, offset + len(line) + 1
        if _FENCE.match(line):
            fenced, continues = not fenced, False
        elif not fenced and _is_title(line, is_last=index == last) and _WORD.search(line):
            number, continues = number + 1, False
            yield number, start, start + len(line)
        elif not fenced and _WORD.search(line):
            row = line.lstrip().startswith("|")
            header = row and index + 1 < len(lines) and "-" in lines[index + 1] and bool(_RULE.match(lines[index + 1]))
            if header:
                continues = False
                continue
            if row or _ITEM.match(line) or not continues:
                number += 1
            continues = not row
            yield number, start, start + len(line)
        else:
            continues = False


def _is_title(line: str, *, is_last: bool) -> bool:
    return bool(_HEADING.match(line) or (not is_last and _TITLE.match(line)))


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[_Statement, ...]]:
    """Yield the statements of each sentence of a block; a link is of the one before it, unless it begins a line."""
    links = [(start + link.start(), start + link.end(), int(link[1])) for link in LINK.finditer(text[start:end])]
    bare = LINK.sub(lambda link: " " * len(link[0]), text[start:end])
    title = _is_title(bare, is_last=not text[end:].strip())
    marker = _MARKER.match(bare)
    begin = marker.end() if marker else 0
    row = bare.lstrip().startswith("|")
    # A block quotation with its citation at its end is one statement, however many sentences it has.
    quoted = bare.lstrip().startswith(">") and len(links) == 1 and not _WORD.search(bare, links[0][1] - start)
    ranges = [(0, len(bare) - begin)] if row or quoted or title else sentence_ranges(bare[begin:])
    spans = [(begin + first, begin + last) for first, last in ranges]
    spans = [_trimmed(bare, span) for span in spans if _WORD.search(bare[slice(*span)])]
    # The links in front of a sentence on its first line are of it.
    lows = [start, *(start + (bare.rfind("\n", one[1], at) + 1 or at) for one, (at, _) in pairwise(spans)), end]
    for (first, last), low, high in zip(spans, lows, lows[1:], strict=False):
        inside = [link for link in links if low <= link[0] < high]
        piece = bare[first:last]
        label = not row and (title or piece.rstrip(_LABEL_MARKS).endswith((":", "：")))
        if (title or not inside) and not _states(piece, label=label):
            continue
        if label and not inside:
            yield (_Statement(start + first, start + last, (), label=True),)
        elif row:
            yield (_Statement(start + first, start + last, _numbers(inside)),)
        else:
            parts = _split_at_citations(text, start + first, start + last, inside)
            is_title = title and len(parts) == 1
            yield tuple(replace(each, quoted=quoted, label=is_title) for each in parts)


def _states(piece: str, *, label: bool) -> bool:
    """Return whether an uncited sentence may state something; a heading or lead-in does with a figure only."""
    bare = piece.strip(" *_>|#")
    if bare.endswith(("?", "？")) or len(_WORD.findall(bare)) < 2:
        return False
    if label:
        return bool(_FIGURE.search(_ITEM.sub("", bare)))
    talks = _TALK.match(bare) or (_POLITE.match(bare) and len(_WORD.findall(bare)) <= _SHORT)
    return not talks or bool(_FIGURE.search(bare))


def _split_at_citations(
    text: str, start: int, end: int, links: Sequence[tuple[int, int, int]]
) -> tuple[_Statement, ...]:
    """Split a sentence after each citation that is followed by a statement of its own."""
    statements: list[_Statement] = []
    pending: list[tuple[int, int, int]] = []
    begin = start
    for index, link in enumerate(links):
        pending.append(link)
        stop = links[index + 1][0] if index + 1 < len(links) else end
        if len(_WORD.findall(text[begin : pending[0][0]])) < 2 or len(_WORD.findall(text[link[1] : stop])) < MIN_TAIL:
            continue
        statements.append(_Statement(begin, begin + len(text[begin : link[0]].rstrip()), _numbers(pending)))
        pending, begin = [], link[1] + len(text[link[1] : stop]) - len(text[link[1] : stop].lstrip(" \n,;:–—-"))
    if begin < end and (pending or _WORD.search(text, begin, end)):
        known = tuple(dict.fromkeys(number for statement in statements for number in statement.numbers))
        statements.append(_Statement(begin, end, _numbers(pending), known))
    return tuple(statements)


def _numbers(links: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for _, _, number in links))


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
