"""Questions that a library can answer, drawn from its own headings, tables and sentences; each is tried first."""

import re
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from desktop_rag.agent.citations.quoted_rows import cells_of, is_row
from desktop_rag.agent.events import Answered
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.prompts import NEEDS_MODEL, UNSURE
from desktop_rag.agent.question import AskedOf, ExampleQuestion, ExampleTopic, Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.documents.document import KINDS, LineKind
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Order, Retriever
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.text.normalize import fold

MOST = 3
_TRIED = 16  # questions by a heading or a cell, and half as many by the beginning of a sentence
_NEWEST = 200  # documents to choose from
_READ = 24  # of them
_LINES = 80  # from the beginning of each
_OF_EACH = 4  # questions tried of a document
_LONGEST = 48  # characters of a heading, cell or document's name
_FIGURE = re.compile(r"(?<![\w.,-])[$€£]?\d")
_COUNTED = re.compile(r"\A(?:§\s?)?\d{1,2}(?:\.\d{1,2})*[.)]?\s+(?=\D)")


_BY_NAME = (AskedOf.SECTION, AskedOf.CELL)  # of what is asked, first

Wording = Callable[[ExampleTopic], str]


def example_questions(
    retriever: Retriever, built_in: BuiltInModel, wording: Wording, stop: Stop
) -> Generator[ExampleQuestion]:
    """Yield at most `MOST` questions, each answered by the built-in model from the lines that it is made of."""
    topics = [list(_topics_of(card, retriever, stop)) for card in _cards(retriever, stop)]
    answered: dict[str, AskedOf] = {}  # by the hash of the document
    for kinds, tried in ((_BY_NAME, _TRIED), ((AskedOf.SENTENCE,), _TRIED // 2)):
        left = tried
        for of_document in topics:
            wanted = [topic for topic in of_document if topic.asked in kinds]
            for topic in sorted(wanted, key=lambda topic: topic.asked in answered.values())[:_OF_EACH]:
                if topic.sha256 in answered or not left or len(answered) == MOST:
                    break
                left -= 1
                question = wording(topic)
                if _leads_to_its_lines(question, topic, retriever, built_in, stop):
                    answered[topic.sha256] = topic.asked
                    yield ExampleQuestion(question, topic.document)


def _leads_to_its_lines(
    question: str, topic: ExampleTopic, retriever: Retriever, built_in: BuiltInModel, stop: Stop
) -> bool:
    run = Run(toolkit("full"), built_in, retriever, stop, Limits(), built_in=built_in)
    with closing(answer(Question(question), run)) as events:
        last = deque(events, maxlen=1).pop()
    if not isinstance(last, Answered) or not last.found or UNSURE in last.text or NEEDS_MODEL in last.text:
        return False
    cited = next(iter(last.citations), None)
    if cited is None or cited.sha256 != topic.sha256:
        return False
    return cited.first_line <= topic.last and cited.last_line >= topic.first


def _cards(retriever: Retriever, stop: Stop) -> list[DocumentCard]:
    """Return some of the newest documents: one of each folder, then others."""
    newest = retriever.documents(DocumentQuery(order=Order.NEWEST, limit=_NEWEST), stop).cards
    texts = [card for card in newest if card.path and card.format != "code"]
    of_folders = {card.path.parent: card for card in reversed(texts) if card.path}
    firsts = sorted(of_folders.values(), key=texts.index)
    return [*firsts, *(card for card in texts if card not in firsts)][:_READ]


def _topics_of(card: DocumentCard, retriever: Retriever, stop: Stop) -> Iterator[ExampleTopic]:
    """Yield the sections, cells and sentences at the beginning of a document."""
    lines = retriever.read_lines(card.content, 1, _LINES, stop).lines
    kinds = [KINDS[kind & 15] for kind in retriever.layout(card.content, stop).kinds[: len(lines)]]
    name = card.path.name if card.path else card.title
    document = one_line(card.title if 0 < len(card.title) <= _LONGEST else name)

    def topic(asked: AskedOf, text: str, first: int, last: int, column: str = "") -> ExampleTopic:
        return ExampleTopic(asked, text, document, card.language, card.sha256, first, last, column)

    for heading, first, last in _sections(lines, kinds):
        yield topic(AskedOf.SECTION, heading, first, last)
    for row, column, line in _cells(lines, kinds):
        yield topic(AskedOf.CELL, row, line, line, column)
    for begun, line in _sentences(lines, kinds):
        yield topic(AskedOf.SENTENCE, begun, line, line)


def _cells(lines: tuple[str, ...], kinds: list[LineKind]) -> Iterator[tuple[str, str, int]]:
    """Yield row, column and line of a figure in each table; a row that is named twice is no example."""
    rows = [(line, cells_of(text)) for line, text in enumerate(lines, 1) if is_row(text)]
    names = Counter(cells[0] for _, cells in rows)
    header: tuple[str, ...] = ()
    for line, cells in rows:
        if kinds[line - 1] is not LineKind.ROW:
            continue
        if header and len(cells) == len(header) > 1 and _tells(cells[0]) and names[cells[0]] == 1:
            at = next((at for at in range(len(cells) - 1, 0, -1) if _is_figure(cells[at]) and _tells(header[at])), 0)
            if at:
                yield cells[0], header[at], line
        if not any(map(_is_figure, cells)) and all(map(_tells, cells)):
            header = cells


def _sections(lines: tuple[str, ...], kinds: list[LineKind]) -> Iterator[tuple[str, int, int]]:
    """Yield headings below the first one whose words their sections repeat, with the lines of these."""
    heads = [line for line, kind in enumerate(kinds, 1) if kind is LineKind.HEADING]
    for head, end in zip(heads[1:], (*heads[2:], len(lines) + 1), strict=False):
        text = _COUNTED.sub("", one_line(lines[head - 1]).lstrip("# ").rstrip(": "), count=1)
        body = fold(" ".join(lines[head : end - 1]))
        if _tells(text) and all(word in body for word in fold(text).split()):
            yield text, head, end - 1


def _sentences(lines: tuple[str, ...], kinds: list[LineKind]) -> Iterator[tuple[str, int]]:
    """Yield what stands before the first figure of a sentence, with its line."""
    for line, (text, kind) in enumerate(zip(lines, kinds, strict=False), 1):
        figure = _FIGURE.search(text) if kind is LineKind.PARAGRAPH else None
        begun = one_line(text[: figure.start()]).rpartition(". ")[2].rstrip() if figure else ""
        if _tells(begun) and begun[0].isupper() and len(begun.split()) > 2 and not begun.endswith((":", ",", "(")):
            yield begun, line


def _tells(text: str) -> bool:
    return 3 <= len(text) <= _LONGEST and bool(re.search(r"[^\W\d_]{3}", text))


def _is_figure(cell: str) -> bool:
    return bool(re.search(r"\d", cell)) and not re.search(r"[^\W\d_]{4}", cell)
