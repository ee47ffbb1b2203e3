"""Full-text search over questions and answers: an FTS5 index of folded words beside the turns, which are the truth."""

import re
from collections.abc import Iterable

from desktop_rag.agent.conversations.transcript import ConversationId, FoundTurn, Turn
from desktop_rag.agent.events import AnswerDelta, Answered, AnswerRestarted, RunFailed, RunStopped
from desktop_rag.index.catalog.database import Database
from desktop_rag.text.normalize import FoldedText, words

# `secure-delete` leaves no word of a deleted turn in the index; a contentless table would keep it until the next merge.
CREATE_INDEX = """
CREATE VIRTUAL TABLE word USING fts5(question, answer);
INSERT INTO word (word, rank) VALUES ('secure-delete', 1);
"""
MOST_FOUND = 200  # conversations
_TURN_BITS = 20  # of a row id, below those of the conversation
_ANSWER_WEIGHT = 0.5  # of a word in an answer, relative to one in a question
_LINK = re.compile(r"\s?\[\d+\]\(cite:\d+\)")
_MARKUP = re.compile(
    r"(\$(?=\S)[^$\n]+(?<=\S)\$(?!\d)|\\\(.+?\\\))"  # a formula, which is kept
    r"|[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|^\s*(?:#{1,6}|[-+>]|\d+\.)\s+",
    re.MULTILINE,
)


def index_turn(db: Database, conversation: ConversationId, turn: Turn) -> None:
    """Replace the words of a turn in the index."""
    forget_turn(db, conversation, turn.number)
    values = (_row(conversation, turn.number), _folded(turn.question), _folded(answer_text(turn)))
    db.execute("INSERT INTO word (rowid, question, answer) VALUES (?, ?, ?)", values)


def forget_turn(db: Database, conversation: ConversationId, number: int) -> None:
    """Remove the words of a turn from the index."""
    db.execute("DELETE FROM word WHERE rowid = ?", (_row(conversation, number),))


def forget_conversation(db: Database, conversation: ConversationId) -> None:
    """Remove the words of all turns of a conversation from the index."""
    db.execute("DELETE FROM word WHERE rowid BETWEEN ? AND ?", (_row(conversation, 0), _row(conversation, -1)))


def turns_with(db: Database, query: str) -> dict[ConversationId, int]:
    """Return, by conversation, the best turn with every word of `query` or its beginning; the best come first."""
    phrases = [_folded(word) for word in query.split()]
    terms = " ".join(f'"{phrase}" *' for phrase in phrases if phrase)
    if not terms:
        return {}
    sql = f"SELECT rowid FROM word WHERE word MATCH ? ORDER BY bm25(word, 1.0, {_ANSWER_WEIGHT}), rowid DESC"
    best: dict[ConversationId, int] = {}
    for row in db.values(int, sql, (terms,)):
        best.setdefault(ConversationId(row >> _TURN_BITS), row & ((1 << _TURN_BITS) - 1))
        if len(best) == MOST_FOUND:
            break
    return best


def found_turn(conversation: ConversationId, turn: Turn, query: str) -> FoundTurn:
    """Return a turn with the line that contains most words of `query`, the first of equals."""
    wanted = [_folded(word) for word in query.split()]
    lines = [line for line in (turn.question, *plain_text(answer_text(turn)).splitlines()) if line.strip()]
    best = max(lines, key=lambda line: _matches(line, wanted), default="")
    return FoundTurn(conversation, turn.number, " ".join(best.split()))


def answer_text(turn: Turn) -> str:
    """Return the answer of a turn as far as it has come, in Markdown."""
    text = ""
    for event in turn.events:
        match event:
            case AnswerDelta(text=more):
                text += more
            case AnswerRestarted():
                text = ""
            case Answered() | RunStopped() | RunFailed():
                text = event.text
            case _:
                pass
    return text


def plain_text(markdown: str) -> str:
    """Return an answer without citation links and the signs of emphasis, headings and lists."""
    return _MARKUP.sub(r"\1", _LINK.sub("", markdown))


def _matches(line: str, wanted: Iterable[str]) -> int:
    padded = f" {_folded(line)}"
    return sum(f" {word}" in padded for word in wanted)


def _folded(text: str) -> str:
    """Return the folded words of a text; Chinese, Japanese and Korean are searched by character."""
    return " ".join(word.text for word in words(FoldedText(text).text))


def _row(conversation: ConversationId, number: int) -> int:
    return conversation << _TURN_BITS | number & ((1 << _TURN_BITS) - 1)
