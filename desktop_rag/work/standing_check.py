"""Looks at standing questions: by search without a model what is new, and on request the answer of what changed."""

import time
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from desktop_rag.agent.events import AgentEvent, Answered, Citation, RunFailed
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.statements import Statement, statement_of
from desktop_rag.agent.run.usual_run import RunModels, paid_run
from desktop_rag.errors import DesktopRagError, LibraryRefused, ModelError, Stopped, WorkError
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Order, Retriever, Scope
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.stop import Stop, result_of
from desktop_rag.text.locate import locate
from desktop_rag.work.filling import Filler, check_documents
from desktop_rag.work.model_requests import contradictions, look_of
from desktop_rag.work.report import Contradiction
from desktop_rag.work.row_reading import rows_of_cards
from desktop_rag.work.standing import MOST_NEWS, Standing, StandingId, Update
from desktop_rag.work.table import MOST_ROWS, TableId
from desktop_rag.work.work_store import WorkStore

MOST_NEW = 2_000  # documents that are looked at in one go
NOTHING_NEW = "No passage was found since the last answer."
CHANGES = (
    "{question}\n\nOnly documents that are new since the last answer are searched. Say what they add to it or change, "
    "as connected text with a citation after each sentence; do not repeat it.\nThe last answer: {before}"
)
LONGEST_BEFORE = 2_000  # characters of the last answer in a question


def begin(
    question: str, store: WorkStore, filler: Filler, stop: Stop, standing: Standing | None = None
) -> Generator[AgentEvent, None, StandingId]:
    """Ask a question over its scope for the first time, and keep it with its answer; return its number."""
    kept = standing or Standing(question)
    seen = _last(filler.retriever, kept, stop)
    answered = yield from _run(question, scope_within(filler.retriever, kept.filters, stop), kept, filler, stop)
    now = time.time_ns()
    return store.put_standing(replace(kept, seen=seen, answered=answered, answered_ns=now, checked_ns=now))


def begin_table(table: TableId, store: WorkStore, filler: Filler, stop: Stop, standing: Standing) -> StandingId:
    """Keep a table over a scope; its rows are those of now."""
    name, now = store.load(table).name, time.time_ns()
    seen = _last(filler.retriever, standing, stop)
    return store.put_standing(replace(standing, question=name, table=table, seen=seen, answered_ns=now, checked_ns=now))


def check(number: StandingId, store: WorkStore, filler: Filler, stop: Stop) -> Standing:
    """Search what was read since, without a model, and store what is new, or why that failed.

    Raises `Stopped`, `WorkError` if nothing can be stored, and `LibraryRefused` if the question was removed.
    """
    before = store.standing(number)
    try:
        return _checked(number, before, store, filler, stop)
    except (Stopped, WorkError):
        raise
    except DesktopRagError as error:  # such as a search that fails, or a table that was deleted
        trouble = str(error)
        return store.change_standing(number, lambda now: replace(now, trouble=trouble))


def _checked(number: StandingId, before: Standing, store: WorkStore, filler: Filler, stop: Stop) -> Standing:
    if before.table is not None:
        return _check_table(number, before, before.table, store, filler, stop)
    new = _new(filler.retriever, before, stop)
    found: tuple[Citation, ...] = ()
    if new:
        quoting = replace(filler, models=lambda: RunModels(None, filler.built_in), profile=None)
        scope = Scope(contents=tuple(card.content for card in new))
        ended = result_of(_run(before.question, scope, before, quoting, stop))
        found = ended.citations if ended.found else ()
    answers = tuple(each for answer in before.answers for each in answer.citations)
    gone = tuple(each for each in answers if _is_gone(each, filler.retriever, stop))
    news: list[Citation] = []
    for each in found:
        if not any(_is_same(each, other) for other in (*answers, *news)):
            news.append(each)

    def change(now: Standing) -> Standing:
        told = {each for update in now.updates for each in update.gone}
        return replace(
            now,
            news=(*(each for each in now.news if not any(_is_same(each, new) for new in news)), *news)[-MOST_NEWS:],
            gone=tuple(each for each in gone if each not in told),
            seen=max((now.seen, *(card.content for card in new))),
            checked_ns=time.time_ns(),
            trouble="",
        )

    return store.change_standing(number, change)


def ask(number: StandingId, store: WorkStore, filler: Filler, stop: Stop) -> Generator[AgentEvent, None, StandingId]:
    """Ask what the documents that have news change, compare the last answer with them, and store the update.

    Raises `LibraryRefused` if nothing is new.
    """
    before = store.standing(number)
    if not before.news and not before.gone:
        raise LibraryRefused(NOTHING_NEW)
    contents = tuple(dict.fromkeys(_contents(before.news, filler.retriever, stop)))
    if contents:
        last = before.answers[-1].text[:LONGEST_BEFORE] if before.answers else ""
        by_model = filler.profile is not None and last
        question = CHANGES.format(question=before.question, before=last) if by_model else before.question
        answered = yield from _run(question, Scope(contents=contents), before, filler, stop)
        contradicted = _contradicted(before, answered, filler, stop)
    else:
        answered, contradicted = replace(before.answers[-1], text="", citations=(), claims=(), coverage=None), ()
    update = Update(answered, time.time_ns(), before.gone, contradicted)

    def change(now: Standing) -> Standing:
        news = tuple(each for each in now.news if each not in before.news)
        return replace(now, updates=(*now.updates, update), news=news, gone=())

    store.change_standing(number, change)
    return number


def _check_table(
    number: StandingId, before: Standing, table_id: TableId, store: WorkStore, filler: Filler, stop: Stop
) -> Standing:
    new = _new(filler.retriever, before, stop)
    table = store.load(table_id)
    have = {(each.sha256, each.path) for each in table.rows}
    changed, _ = check_documents(table, filler.retriever, stop)
    if changed:
        store.update_rows(table_id, changed)
    known = {(each.sha256, each.path) for each in changed} | have
    rows = [each for each in rows_of_cards(new) if (each.sha256, each.path) not in known]
    if rows:
        store.add_rows(table_id, rows[: MOST_ROWS - len(table.rows)])
    wanting = {row for row, _ in store.load(table_id).wanting(by_model=False)}
    seen = max((before.seen, *(card.content for card in new)))
    return store.change_standing(
        number, lambda now: replace(now, seen=seen, documents=len(wanting), checked_ns=time.time_ns(), trouble="")
    )


def _new(retriever: Retriever, standing: Standing, stop: Stop) -> tuple[DocumentCard, ...]:
    """Return the documents of the scope that were read since, the last first."""
    if _last(retriever, standing, stop) <= standing.seen:
        return ()
    query = DocumentQuery(filters=standing.filters, order=Order.READ, limit=MOST_NEW)
    return tuple(card for card in retriever.documents(query, stop).cards if card.content > standing.seen)


def _last(retriever: Retriever, standing: Standing, stop: Stop) -> int:
    """Return the content of the scope that was read last; what is read from now on is new."""
    query = DocumentQuery(filters=standing.filters, order=Order.READ, limit=1)
    return max((card.content for card in retriever.documents(query, stop).cards), default=0)


def _run(
    question: str, scope: Scope, standing: Standing, filler: Filler, stop: Stop
) -> Generator[AgentEvent, None, Answered]:
    asked = Question(question, scope=scope, filters=standing.filters)
    from desktop_rag.agent.toolkits.registry import toolkit  # the window starts without it

    kit = toolkit(filler.settings.toolkit)
    with closing(paid_run(asked, kit, filler.models(), filler.retriever, filler.settings, stop)) as events:
        for event in events:
            yield event
            if isinstance(event, Answered):
                return event
            if isinstance(event, RunFailed):
                raise ModelError(event.message, event.title)
    raise Stopped


def _contents(news: Iterable[Citation], retriever: Retriever, stop: Stop) -> Generator[ContentId]:
    for each in news:
        card = retriever.lookup(each.sha256, None, stop)
        if card is not None:
            yield card.content


def _is_same(one: Citation, other: Citation) -> bool:
    """Return whether two citations are of one passage, also of one in an earlier state of its document."""
    if one.sha256 == other.sha256:
        return one.first_line <= other.last_line and other.first_line <= one.last_line
    return one.path == other.path and one.quote == other.quote


def _is_gone(citation: Citation, retriever: Retriever, stop: Stop) -> bool:
    """Return whether the cited words stand in no file any more, neither in this one nor in what became of it."""
    card = retriever.lookup(citation.sha256, Path(citation.path), stop)
    if card is None or card.path is None:
        return True
    if card.sha256 == citation.sha256 or not citation.quote:
        return False
    window = retriever.read_lines(card.content, 1, card.lines, stop)
    return locate(citation.quote, dict(enumerate(window.lines, window.first))) is None


def _contradicted(before: Standing, answered: Answered, filler: Filler, stop: Stop) -> tuple[Contradiction, ...]:
    """Return the statements of before that the second look finds contradicted in the new passages."""
    models = filler.models()
    if models.profile is None or not filler.settings.second_look or not answered.citations:
        return ()
    statements: dict[str, Statement] = {}
    for earlier in before.answers:
        for claim in earlier.claims:
            made = statement_of(earlier.text, claim, earlier.citations)
            if claim.citations:
                statements[made.text] = replace(made, citations=answered.citations)
    look = look_of(models, filler.spending, filler.settings.money)
    return contradictions(tuple(statements.values()), look, filler.retriever, stop)
