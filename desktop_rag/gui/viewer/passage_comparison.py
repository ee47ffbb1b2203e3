"""Locates a cited passage in a file that has changed since, and diffs it word by word."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from desktop_rag.gui.viewer.target import Target
from desktop_rag.gui.viewer.viewer_events import DiffPiece, PassageCompared, WordChange
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop

AROUND = 2  # lines of context above and below, in which words may have been inserted or removed
ALIKE = 0.3  # share of common words below which the text counts as a different passage
_SHORTEST = 12  # characters of a line that can locate the passage
_MAX_WORDS = 800
_WORD = re.compile(r"(?:\w+(?:[.,'’-]\w+)*|[^\w\s])\s*")


def compare_passage(target: Target, card: DocumentCard, retriever: Retriever, stop: Stop) -> Iterator[PassageCompared]:
    """Yield the word diff of the cited lines, if similar lines are still there."""
    lines = target.passage.split("\n")
    start = max(0, target.first_line - target.passage_first_line)
    cited = lines[start : start + target.last_line - target.first_line + 1]
    if not any(line.strip() for line in cited):
        return
    shift = _line_offset(target, lines, card, retriever, stop)
    first = max(1, target.first_line + shift - AROUND)
    count = target.last_line - target.first_line + 1 + 2 * AROUND
    window = retriever.read_lines(card.content, first, count, stop)
    pieces = word_diff("\n".join(cited), "\n".join(window.lines))
    if not pieces:
        return
    yield PassageCompared(pieces)


def word_diff(old: str, new: str) -> tuple[DiffPiece, ...]:
    """Return the word diff of `old` and `new` without the context around it; empty if they are too different."""
    then, now = _WORD.findall(old)[:_MAX_WORDS], _WORD.findall(new)[:_MAX_WORDS]
    matcher = SequenceMatcher(None, [word.strip() for word in then], [word.strip() for word in now], autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    if not then or same < ALIKE * len(then):
        return ()
    codes = matcher.get_opcodes()
    if codes[0][0] == "insert":
        codes = codes[1:]
    if codes and codes[-1][0] == "insert":
        codes = codes[:-1]
    return tuple(_pieces(codes, then, now))


def _pieces(
    codes: Sequence[tuple[str, int, int, int, int]], then: Sequence[str], now: Sequence[str]
) -> Iterator[DiffPiece]:
    for kind, a, b, c, d in codes:
        if kind == "equal":
            yield DiffPiece(WordChange.SAME, _text(now[c:d]))
            continue
        if b > a:
            yield DiffPiece(WordChange.GONE, _text(then[a:b]).rstrip() + " ")
        if d > c:
            yield DiffPiece(WordChange.NEW, _text(now[c:d]))


def _text(words: Sequence[str]) -> str:
    return re.sub(r"\s+", " ", "".join(words))


def _line_offset(target: Target, lines: Sequence[str], card: DocumentCard, retriever: Retriever, stop: Stop) -> int:
    """Return by how many lines the passage has moved: the majority among its lines that still exist."""
    numbered = enumerate(lines, target.passage_first_line)
    known = {words: number for number, line in numbered if len(words := line.strip()) >= _SHORTEST}
    if not known:
        return 0
    found = retriever.find(card.content, tuple(known), 1, stop)
    moves = Counter(passage.marks[0][0] - known[passage.pattern] for passage in found if passage.marks)
    return moves.most_common(1)[0][0] if moves else 0
