"""Finds the claims of an answer and grades each by its citations.

Headings, titles in bold, questions, lead-ins (“as follows:”), greetings, offers, code, the program's notes, and
sentences that only report what the run searched, read or missed are no claims. A sentence without a citation shares
those of the paragraph's next cited sentence if their lines support it: models often cite several at once. A sentence
with several citations is one claim for each; so is what follows its last citation, if these lines do not support it.
A block quotation with one citation at its end is one claim. Rows of a table share the citations beside it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from desktop_rag.agent.citations.absence import is_about_the_search, unmentioned
from desktop_rag.agent.citations.answer_tables import MAX_CHECKS, AnswerTable, answer_tables
from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.claim_check import ClaimCheck
from desktop_rag.agent.citations.source_sentences import sentence_ranges
from desktop_rag.agent.citations.wording import SUPPORTED
from desktop_rag.agent.events import Citation, Claim, ClaimFault, ClaimStanding
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import words

_FEW_WORDS = ClaimFault("wording", "")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r"^[\s|:*_=+-]*$")
_MARKER = re.compile(r"^\s*(?:(?:>|[-*+•]|\d{1,3}[.)])\s+)+(?:\[[ xX]\]\s+)?|^\s*>\s*")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_WORD = re.compile(r"[^\W_]+")
_TITLE = re.compile(r"^\s*(?:\*\*|__)(?:(?!\*\*|__)[^\d.!?]){1,60}(?:\*\*|__)\s*$")  # a title line
_REPORT = re.compile(
    r"not found|(?:do(?:es)?|did|is|are|was|were|could|can)(?: not|n't|n’t|not) (?:\w+ ){0,2}"
    r"(?:say|state|mention|contain|specify|give|include|tell|answer|describe|find|found|list|provide|cover|hold)|"
    r"no (?:\w+ ){0,3}(?:mention|information|passage|document|source|evidence|record)|"
    r"\bsearch(?:es)?\b.{0,80}\b(?:returned|found|brought|yielded|shows?)\b|"
    r"(?:I|we) (?:have )?(?:searched|looked|read)\b|searched for|^Read: \d|^nothing\b|still being indexed|"
    r"\b(?:nicht|kein\w*)\b.{0,60}\b(?:gefunden|erwähnt|genannt|angegeben|enthalten|hervor|Angaben?|Informationen?)|"
    r"\bgesucht\b|\bne .{0,40}\bpas\b.{0,40}\b(?:mention|trouv|indiqu|précis)|aucun\w* (?:mention|information)|"
    r"\brien\b.{0,40}\btrouv|"
    r"\bno (?:se )?(?:menciona|indica|encuentra|especifica)|ninguna (?:mención|información)",
    re.IGNORECASE,
)
_REPORT_SUBJECT = re.compile(
    r"\b(?:documents?|passages?|librar\w*|files?|sources?|texts?|excerpts?|I|we|searched|Dokument\w*|Unterlage\w*|Bibliothek|"
    r"Datei\w*|Quelle\w*|Text\w*|Passage\w*|gesucht|je|fichiers?|textes?|documentos?|archivos?)\b|"
    r"\bcited lines\b|: not found\W*$|^not found|^nothing\b",
    re.IGNORECASE,
)


_COURTESY = re.compile(
    r"^(?:hello|hi|hey|sure|certainly|of course|thanks?|thank you|you(?:['’]re| are) welcome|(?:great|good|excellent|"
    r"interesting) question|my pleasure|glad to|sorry|"
    r"i(?:['’]m| am) (?:sorry|afraid|unable|not able)|i (?:can ?not|can['’]t|could not|couldn['’]t|hope|can|could)\b|"
    r"as an? (?:ai|large language|language) |i(?:['’]ll| will) (?:now |first )?(?:search|look|open|read|check)\b|"
    r"let me |(?:please )?feel free|if you (?:need|want|have|would|['’]d)|"
    r"please (?:let|ask|provide|check|consult|clarify|specify|rephrase)|"
    r"here (?:is|are)\b|below (?:is|are)\b|happy to|would you|do you want|"
    r"(?:please )?note:? (?:that )?this (?:answer |summary )?is based on|"
    r"hallo|guten |gerne?\b|bitte (?:schön|sehr)|natürlich|leider kann|es tut mir leid|ich kann |ich hoffe|"
    r"lassen sie mich|falls sie|"
    r"wenn sie (?:weitere|noch|möchten)|hier (?:ist|sind)\b|"
    r"bonjour|de rien|avec plaisir|"
    r"bien sûr|désolé|je (?:ne )?peux|n['’]hésitez|si vous (?:avez|souhaitez|voulez)|voici\b|"
    r"hola|de nada|claro|lo siento|no puedo|puedo |si (?:necesita|desea|quiere)|aquí (?:está|están|tiene)\b)",
    re.IGNORECASE,
)
_POLITE_OPENING = re.compile(  # of a sentence that may go on with a statement
    r"^(?:(?:sure|certainly|of course|sorry|i(?:['’]m| am) (?:sorry|afraid)|natürlich|gerne?|es tut mir leid|"
    r"bien sûr|désolé|claro|lo siento)"
    r"(?:\s*[,;:–—]\s*(?:but |aber |mais |pero )?| (?:but|that|aber|dass|mais|pero) )|"
    r"i can (?:confirm|tell you|say)(?: that)? |i(?:['’]m| am) afraid )",
    re.IGNORECASE,
)
MIN_TAIL = 3  # words after a citation that are a statement of their own

MAX_BLOCK = 8_000  # characters of a paragraph that is looked at whole
MAX_PROOF = 12  # citations of an answer that may prove a result written without one
Check = Callable[[str, tuple[int, ...]], ClaimCheck]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement's offsets in the answer, the citation numbers after it, and those before it in its sentence."""

    start: int
    end: int
    numbers: tuple[int, ...]
    before: tuple[int, ...] = ()
    quoted: bool = False  # in a block quotation with one citation


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
        for sentence in reversed(list(_sentences(text, start, end))):
            graded += reversed(grader.sentence(sentence, next_numbers))
            next_numbers = sentence[0].numbers or next_numbers
        claims += reversed(graded)
    for table in answer_tables(blank):
        claims = [grader.row(claim, table) if table.start <= claim.start < table.end else claim for claim in claims]
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
        if len(statements) == 1:
            return [self._claim(first) if first.numbers else self._shared(first, next_numbers)]
        last = statements[-1]
        if last.numbers or len(statements) > 2:
            numbers = tuple(dict.fromkeys(number for each in statements for number in each.numbers))
            return [
                self._part(each, numbers) if each.numbers else self._shared(each, each.before) for each in statements
            ]
        whole = replace(first, end=last.end)
        if not self._checked(last, first.numbers).faults:
            return [self._claim(whole)]
        head = self._claim(first)
        if head.faults and all(fault == _FEW_WORDS for fault in head.faults):  # “According to the lease [1], …”
            return [self._claim(whole)]
        return [head, Claim(last.start, last.end, "uncited")]

    def row(self, claim: Claim, table: AnswerTable) -> Claim:
        """Return the claim of a row: uncited it may share the citations beside its table; each year must be right."""
        statement = _Statement(claim.start, claim.end, ())
        if claim.standing == "uncited":
            shared = (numbers for numbers in table.beside if numbers and self._may_check())
            fitting = next((numbers for numbers in shared if not self._checked(statement, numbers).faults), ())
            claim = self._claim(replace(statement, numbers=fitting)) if fitting else claim
        if claim.standing not in SUPPORTED or not claim.citations:
            return claim
        for amount, said in table.cells(self.text[claim.start : claim.end]):
            faults = self.check(said, claim.citations).faults if self._may_check() else ()
            if wrong := tuple(fault for fault in faults if fault.found and fault.text in amount):
                return replace(claim, standing="unsupported", faults=wrong)
        return claim

    def _may_check(self) -> bool:
        """Count a check of a table; return whether it may still be made."""
        return next(self.table_checks, None) is not None

    def _part(self, statement: _Statement, numbers: tuple[int, ...]) -> Claim:
        """Return a part of a sentence, whose figures may be computed from all lines that the sentence cites."""
        claim = self._claim(statement)
        if claim.standing != "unsupported" or any(fault.kind != "figure" for fault in claim.faults):
            return claim
        whole = self._claim(replace(statement, numbers=numbers))
        return whole if whole.standing == "computed" else claim

    def _checked(self, statement: _Statement, numbers: tuple[int, ...]) -> ClaimCheck:
        return self.check(LINK.sub(" ", self.text[statement.start : statement.end]), numbers)

    def _shared(self, statement: _Statement, numbers: tuple[int, ...]) -> Claim:
        """Return an uncited statement, supported if the lines of other citations support it.

        A result may stand before or after its proof: it is computed if the answer cites all operands.
        """
        if numbers and not self._checked(statement, numbers).faults:
            return self._claim(replace(statement, numbers=numbers))
        proof = self._checked(statement, self.cited)
        if proof.operands and not proof.faults:
            operands = tuple(dict.fromkeys(operand.citation for operand in proof.operands))
            outcome = (proof.faults, proof.computed, proof.operands)
            return Claim(statement.start, statement.end, "computed", operands, *outcome)
        return Claim(statement.start, statement.end, "uncited")

    def _claim(self, statement: _Statement) -> Claim:
        checked = self._checked(statement, statement.numbers)
        standing = _standing([self.verdicts[number] for number in statement.numbers], checked)
        outcome = (checked.faults, checked.computed, checked.operands)
        verbatim = all(self.verdicts[number] == "verbatim" for number in statement.numbers)
        quoted = statement.quoted and standing == "supported" and verbatim
        return Claim(statement.start, statement.end, standing, statement.numbers, *outcome, quoted)


def _standing(verdicts: Sequence[str], checked: ClaimCheck) -> ClaimStanding:
    if not verdicts:
        return "uncited"
    if checked.faults:
        return "unsupported"
    if checked.computed:
        return "computed"
    return "relocated" if all(verdict == "misattributed" for verdict in verdicts) else "supported"


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return `text` with spaces instead of the letters in `spans`; all offsets and line breaks stay."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


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
        elif index < last and _TITLE.match(line):
            continues = False
        elif not fenced and not _HEADING.match(line) and _WORD.search(line):
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


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[_Statement, ...]]:
    """Yield the statements of each sentence of a block; a link belongs to the last sentence that starts before it."""
    links = [(start + link.start(), start + link.end(), int(link[1])) for link in LINK.finditer(text[start:end])]
    bare = LINK.sub(lambda link: " " * len(link[0]), text[start:end])
    marker = _MARKER.match(bare)
    begin = marker.end() if marker else 0
    row = bare.lstrip().startswith("|")
    # A block quotation with its citation at its end is one statement, however many sentences it has.
    quoted = bare.lstrip().startswith(">") and len(links) == 1 and not _WORD.search(bare, links[0][1] - start)
    spans = (
        [(begin, len(bare))] if row or quoted else [(begin + a, begin + b) for a, b in sentence_ranges(bare[begin:])]
    )
    spans = [_trimmed(bare, span) for span in spans if _WORD.search(bare[slice(*span)])]
    for index, (first, last) in enumerate(spans):
        low = start + first if index else start
        high = start + spans[index + 1][0] if index + 1 < len(spans) else end
        inside = [link for link in links if low <= link[0] < high]
        if not inside and _makes_no_claim(bare[first:last]):
            continue
        if row:
            yield (_Statement(start + first, start + last, _numbers(inside)),)
        else:
            parts = _split_at_citations(text, start + first, start + last, inside)
            yield tuple(replace(each, quoted=True) for each in parts) if quoted else parts


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
        pending, begin = [], link[1] + len(text[link[1] : stop]) - len(text[link[1] : stop].lstrip(" ,;:–—-"))
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


def _makes_no_claim(sentence: str) -> bool:
    """Return whether a sentence makes no claim and so needs no citation."""
    bare = sentence.strip(" *_>|")
    if bare.endswith((":", "?", "？", "：")) or len(list(words(bare))) < 2:
        return True
    if (polite := _POLITE_OPENING.match(bare)) and len(list(words(rest := bare[polite.end() :]))) >= MIN_TAIL:
        return _makes_no_claim(rest)
    if _COURTESY.match(bare) and not any(character.isdigit() for character in bare):
        return True
    reports = bool(_REPORT.search(bare) and _REPORT_SUBJECT.search(bare)) or is_about_the_search(bare)
    return reports or unmentioned(bare) is not None
