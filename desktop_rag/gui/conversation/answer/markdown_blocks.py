"""Parses the Markdown of an answer into plain values, without anything that could load or run something.

Raw HTML stays visible text, an image becomes its alternative text, and only `cite:n` links are active.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from desktop_rag.agent.events import Mark
from desktop_rag.text.readable_math import LONGEST_FORMULA, formula_at

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token


# The Markdown syntax of formulas: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own.


def add_math(parser: "MarkdownIt") -> None:
    """Let `parser` read formulas as tokens `math_inline` and `math_block`."""
    parser.inline.ruler.before("escape", "math", _read_inline)
    parser.block.ruler.before(
        "fence", "math_block", _read_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _read_inline(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    found = formula_at(state.src, state.pos, state.posMax)
    if found is None:
        return False
    opening, formula, end = found
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content, token.markup = formula, opening
    state.pos = end
    return True


def _read_block(state: "StateBlock", first: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    if state.is_code_block(first):
        return False
    line = state.src[state.bMarks[first] + state.tShift[first] : state.eMarks[first]].strip()
    pair = next((pair for pair in (("$$", "$$"), ("\\[", "\\]")) if line.startswith(pair[0])), None)
    if pair is None:
        return False
    lines = [line[2:]]
    number = first
    while not lines[-1].rstrip().endswith(pair[1]):
        number += 1
        if number >= last or (not lines[-1].strip() and number > first + 1) or sum(map(len, lines)) > LONGEST_FORMULA:
            return False
        lines.append(state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]])
    formula = "\n".join(lines).rstrip().removesuffix(pair[1]).strip()
    if not formula or pair[0] in formula:
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.content, token.map = True, formula, [first, number + 1]
        state.line = number + 1
    return True


CITATION = re.compile(r"\[(\d+)\]\(cite:\d+\)")
_CODE_SPAN = re.compile(r"`[^`]*`")
_UNFINISHED_MOST = 500  # characters
_UNFINISHED = re.compile(r"(?:!?\[[^\]\n]{0,80}(?:\](?:\([^)\n]{0,400})?)?|[*_`~]{1,3})$")
_EMPHASIS_ENDS = re.compile(r"(?<![^\s(])(\*\*?)(?=[^\s*])[^*_~`\n]*(?<=[^\s*])\1$")
_SENTENCE_END = re.compile(r"(?<=[.!?)]) (?=[^\W\d_])")
_COMPLETE = re.compile(  # mark-up that leaves nothing open behind it
    r"`[^`\n]*`|\[\d+\]\(cite:\d+\)| \* "
    r"|(?<![^\s(])(\*\*?)(?=[^\s*])[^*_~`\[\]$\\<]*(?<=[^\s*])\1(?=[\s.,;:!?)]|$)"
)
_MARK = re.compile(r"[*_`$~\\<\[\]]")
_DEEPEST = 40  # nested blocks, two for a list in another; what is deeper is left out
_PART = 600  # characters
_LOOK_AGAIN = 1.2  # times as long a part is, before it is looked at again whether mark-up is open in it
_LONGEST_PART = 4_000  # what is longer is cut even where mark-up is open: some of its rules take quadratic time
_MOST_SIGNS = 400  # of mark-up in a part, for the same reason
_MOST_COLUMNS = 16  # wider tables are shown as their source: each row would be filled with empty cells
_TASK = re.compile(r"^\[([ xX])\] ")


def add_wide_tables(parser: "MarkdownIt", most: int) -> None:
    """Let `parser` read tables of more than `most` columns as tokens `wide_table`, with the source as content.

    They cannot be read as a table, and each cell takes time.
    """

    def read(state: "StateBlock", first: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
        if first + 2 > last or state.is_code_block(first) or not _is_wide(state, first, most):
            return False
        if silent:
            return True
        end = first + 2
        while end < last and not state.isEmpty(end) and state.sCount[end] >= state.blkIndent:
            end += 1
        token = state.push("wide_table", "code", 0)
        token.block, token.map = True, [first, end]
        token.content = "\n".join(_line(state, number) for number in range(first, end))
        state.line = end
        return True

    parser.block.ruler.before("table", "wide_table", read, {"alt": ["paragraph", "reference"]})


def _is_wide(state: "StateBlock", first: int, most: int) -> bool:
    """Return whether the line below `first` is that of the marks between the header and the rows of a wide table."""
    if state.sCount[first + 1] < state.blkIndent or state.is_code_block(first + 1):
        return False
    marks = _line(state, first + 1).strip().strip("|")
    return marks.count("|") >= most and not marks.strip("|:- ") and "|" in _line(state, first)


def _line(state: "StateBlock", number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


@dataclass(frozen=True, slots=True)
class MarkdownSpan:
    """Text in one style; `citation` is a number from 1 (0: none), `address` the target of an inactive link."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    struck: bool = False
    citation: int = 0
    address: str = ""
    claim: int = 0  # the number of the statement that it is part of, or that it is cited for
    faulty: bool = False  # underlined: refused, not written in the cited lines, or without a source
    math: bool = False  # the text is a formula in TeX


Pieces = tuple[MarkdownSpan, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, heading (`level` 1 to 6) or list item (`number` 0 for a bullet, None inside or outside a list)."""

    pieces: Pieces
    level: int = 0
    number: int | None = None
    depth: int = 0  # of nested lists
    quoted: int = 0  # depth of nested quotes
    display: bool = False  # a formula on a line of its own


@dataclass(frozen=True, slots=True)
class Code:
    """A code block; `language` as the model wrote it."""

    text: str
    language: str
    depth: int = 0
    continued: bool = False  # the next part of a long block
    is_table: bool = False  # the source of a table that is too wide to be shown as one


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table; the first row is the header, `aligns` holds "left", "right" or "center" for each column."""

    rows: tuple[tuple[Pieces, ...], ...]
    aligns: tuple[str, ...]
    depth: int = 0
    part: int = 0  # of a table shown in parts, from 1; 0: the whole table
    more: bool = False  # another part follows


@dataclass(frozen=True, slots=True)
class HorizontalRule:
    """A thematic break."""


@dataclass(frozen=True, slots=True)
class ProofLine:
    """A line below a block: the quotation behind one of its citations, or what the `mark` of a `claim` of it says."""

    text: str
    citation: int
    claim: int = 0
    mark: Mark | None = None  # None: a quotation
    depth: int = 0
    last: bool = False  # of those below its block


Block = Paragraph | Code | MarkdownTable | HorizontalRule | ProofLine


@dataclass(frozen=True, slots=True)
class Unit:
    """Blocks that are final once another unit follows; `line` is their first line in the parsed text, from 0."""

    line: int
    blocks: tuple[Block, ...]


@lru_cache(maxsize=16)  # a new theme renders whole answers again on the GUI thread
def parse(text: str) -> tuple[Unit, ...]:
    """Parse `text` into top-level blocks and top-level list items; its line ends must be LF."""
    known: dict[str, object] = {}
    tokens = _block_parser().parse(text, known)
    return tuple(_units(tokens, known if known.get("references") else None))


def load_parser() -> None:
    """Load the parser; for a background thread, because the import is slow."""
    _parser()


def without_unfinished(text: str) -> str:
    """Return `text` without unfinished mark-up at its end, such as `[1](cit`; what ends emphasis is none."""
    end = max(0, len(text) - _UNFINISHED_MOST)
    if _EMPHASIS_ENDS.search(text, end):
        return text
    return text[:end] + _UNFINISHED.sub("", text[end:])


def closed(text: str) -> str:
    """Return an interrupted `text` without unfinished mark-up at its end; bold words that it began are ended."""
    kept = without_unfinished(text)
    line = kept[kept.rfind("\n") + 1 :].rstrip()
    return f"{kept.rstrip()}**" if _CODE_SPAN.sub("", line).count("**") % 2 else kept


def plain_text(blocks: Sequence[Block], formula: Callable[[str], str] = "${}$".format) -> str:
    """Return `blocks` as plain text with list marks, citation numbers, and formulas as `formula` makes them of TeX."""
    return "\n\n".join(filter(None, (_plain(block, formula) for block in blocks)))


@cache
def _parser() -> "MarkdownIt":
    return _new_parser()


def _new_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    class AnyAddress(MarkdownIt):
        """Accepts every address, since only citations are active links; a refused one would stay visible mark-up."""

        def validateLink(self, url: str) -> bool:
            return True

    parser = AnyAddress("commonmark", {"html": False, "maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    add_math(parser)
    add_wide_tables(parser, _MOST_COLUMNS)
    return parser


@cache
def _block_parser() -> "MarkdownIt":
    """Return the parser without its rule for text inside a block, which `_text_pieces` parses and remembers."""
    parser = _new_parser()
    parser.core.ruler.disable("inline")
    return parser


def _units(tokens: "list[Token]", known: dict[str, object] | None) -> Iterator[Unit]:
    line = 0
    reader = _BlockReader(known)
    for token in tokens:
        starts_unit = token.level == 0 or (token.type == "list_item_open" and token.level == 1)
        if (
            starts_unit
            and token.nesting >= 0
            and token.map
            and token.type not in ("ordered_list_open", "bullet_list_open")
        ):
            if reader.blocks:
                yield Unit(line, tuple(reader.blocks))
                reader.blocks.clear()
            line = token.map[0]
        reader.read(token)
    if reader.blocks:
        yield Unit(line, tuple(reader.blocks))


@dataclass(slots=True)
class _BlockReader:
    """Turns the flat token list into blocks, tracking the enclosing lists, quotes and tables."""

    known: dict[str, object] | None = None  # with the targets of links that are defined elsewhere in the text
    blocks: list[Block] = field(default_factory=list)
    _numbers: list[int | None] = field(default_factory=list)  # the next number of each open list, None for bullets
    _item: int | None = None  # the number of the next paragraph's list item
    _quoted: int = 0
    _level: int = 0
    _rows: list[tuple[Pieces, ...]] = field(default_factory=list)
    _row: list[Pieces] = field(default_factory=list)
    _aligns: list[str] = field(default_factory=list)
    _in_cell: bool = False

    def read(self, token: "Token") -> None:
        """Process the next token."""
        match token.type:
            case "heading_open":
                self._level = int(token.tag[1:])
            case "heading_close":
                self._level = 0
            case "blockquote_open" | "blockquote_close":
                self._quoted += token.nesting
            case "ordered_list_open" | "bullet_list_open" | "ordered_list_close" | "bullet_list_close":
                self._read_list(token)
            case "list_item_open":
                self._item = self._numbers[-1] or 0
                if self._numbers[-1] is not None:
                    self._numbers[-1] += 1
            case "list_item_close":
                self._item = None
            case "inline":
                self._read_inline(token)
            case "fence" | "code_block" | "wide_table":
                language, is_table = "".join(token.info.split()[:1]), token.type == "wide_table"
                text = token.content.removesuffix("\n")
                self._append(Code(text, language, len(self._numbers), is_table=is_table))
            case "math_block":
                formula = (MarkdownSpan(token.content, math=True),)
                self._append(Paragraph(formula, 0, self._item, len(self._numbers), self._quoted, display=True))
                self._item = None
            case "hr":
                self._append(HorizontalRule())
            case _:
                self._read_table(token)

    def _append(self, block: Block) -> None:
        if self._item is not None and not isinstance(block, Paragraph):
            self.blocks.append(Paragraph((), number=self._item, depth=len(self._numbers), quoted=self._quoted))
            self._item = None
        self.blocks.append(block)

    def _read_list(self, token: "Token") -> None:
        if token.nesting < 0:
            self._numbers.pop()
            return
        if self._item is not None:  # a list that opens its item: "- - nested"
            self._append(Paragraph((), number=self._item, depth=len(self._numbers), quoted=self._quoted))
            self._item = None
        start = token.attrGet("start")
        self._numbers.append(None if token.type.startswith("bullet") else int(start) if start is not None else 1)

    def _read_inline(self, token: "Token") -> None:
        known = self.known
        parts = (_text_pieces(part) if known is None else _inline_pieces(part, known) for part in _parts(token.content))
        pieces = tuple(piece for part in parts for piece in part)
        if self._in_cell:
            self._row.append(pieces)
            return
        if self._item is not None and pieces and (task := _TASK.match(pieces[0].text)):
            box = "☐ " if task[1] == " " else "☑ "
            pieces = (replace(pieces[0], text=box + pieces[0].text[4:]), *pieces[1:])
        self._append(Paragraph(pieces, self._level, self._item, len(self._numbers), self._quoted))
        self._item = None

    def _read_table(self, token: "Token") -> None:
        match token.type:
            case "table_open":
                self._rows, self._aligns = [], []
            case "tr_open":
                self._row = []
            case "tr_close":
                self._rows.append(tuple(self._row))
            case "th_open" | "td_open":
                self._in_cell = True
                if token.type == "th_open":
                    self._aligns.append(str(token.attrGet("style") or "").removeprefix("text-align:") or "left")
            case "th_close" | "td_close":
                self._in_cell = False
            case "table_close":
                self._append(MarkdownTable(tuple(self._rows), tuple(self._aligns), len(self._numbers)))
            case _:
                pass  # opening and closing of paragraphs, table head and body


def _parts(text: str) -> Iterator[str]:
    """Yield a long text in parts between which no mark-up is open: a streaming answer is parsed by its last part."""
    start = sentence = safe = looked = 0
    most = _part_end(text, start)
    for end in (*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)):
        while end > most:
            cut = safe if safe > start else _last_space(text, start, most)
            yield text[start:cut]
            start = looked = cut
            most = _part_end(text, start)
        if _leaves_nothing_open(text[max(start, sentence) : end]):
            safe = end
        sentence = end
        if end - start > max(_PART, _LOOK_AGAIN * (looked - start)):
            looked = end
            if _leaves_nothing_open(text[start:end]):
                yield text[start:end]
                start = end
                most = _part_end(text, start)
    if start < len(text) or not text:
        yield text[start:]


def _leaves_nothing_open(part: str) -> bool:
    return not _MARK.search(_COMPLETE.sub("", part))


def _part_end(text: str, start: int) -> int:
    """Return where a part from `start` ends at the latest."""
    most = start + _LONGEST_PART
    sign = next(islice(_MARK.finditer(text, start, most), _MOST_SIGNS, None), None)
    return sign.start() if sign else most


def _last_space(text: str, start: int, most: int) -> int:
    """Return the end of the longest part from `start` without a whole sentence: after its last space."""
    return (text.rfind(" ", start, most) + 1) or most


@lru_cache(maxsize=2048)
def _text_pieces(text: str) -> Pieces:
    return _inline_pieces(text, {})


def _inline_pieces(text: str, known: dict[str, object]) -> Pieces:
    (token,) = _parser().parseInline(text, known)
    return tuple(_pieces(token.children or []))


def _pieces(tokens: "list[Token]") -> Iterator[MarkdownSpan]:
    style = MarkdownSpan("")
    shown = ""
    for token in tokens:
        opens = token.nesting > 0
        match token.type:
            case "strong_open" | "strong_close":
                style = replace(style, bold=opens)
            case "em_open" | "em_close":
                style = replace(style, italic=opens)
            case "s_open" | "s_close":
                style = replace(style, struck=opens)
            case "link_open":
                shown = ""
                style = _linked(style, str(token.attrGet("href") or ""))
            case "link_close":
                if style.address and shown != style.address.removeprefix("mailto:"):
                    yield replace(style, text=f" ({style.address})", bold=False, italic=False)
                style = replace(style, citation=0, address="")
            case "softbreak" | "hardbreak":
                yield replace(style, text=" " if token.type == "softbreak" else "\n")
            case "math_inline":
                yield replace(style, text=token.content, math=True, citation=0)
            case _:
                words = _words(token)
                shown += words
                if words:
                    yield replace(style, text=words, code=token.type == "code_inline")


def _linked(style: MarkdownSpan, address: str) -> MarkdownSpan:
    number = address.removeprefix("cite:")
    if number != address and number.isascii() and number.isdigit() and 0 < int(number) < 10_000:
        return replace(style, citation=int(number))
    return replace(style, address=address)


def _words(token: "Token") -> str:
    if token.type != "image":
        return token.content
    return "".join(_words(child) for child in token.children or []) or token.content


def _plain(block: Block, formula: Callable[[str], str]) -> str:
    match block:
        case Paragraph():
            mark = "" if block.number is None else f"{block.number}. " if block.number else "• "
            indent = "    " * (max(0, block.depth - 1) + block.quoted)
            return indent + mark + _plain_pieces(block.pieces, formula)
        case Code():
            return block.text
        case MarkdownTable():
            return "\n".join("\t".join(_plain_pieces(cell, formula) for cell in row) for row in block.rows)
        case HorizontalRule():
            return "———"
        case ProofLine():
            return ""  # the sources of the answer have it


def _plain_pieces(pieces: Pieces, formula: Callable[[str], str]) -> str:
    return "".join(
        f"[{piece.text}]" if piece.citation else formula(piece.text) if piece.math else piece.text for piece in pieces
    )
