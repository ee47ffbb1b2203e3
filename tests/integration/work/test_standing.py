"""Standing questions: only new documents are searched, what changed is told, rows of tables follow the scope."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest

from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.agent.events import AgentEvent
from desktop_rag.errors import LibraryError, LibraryRefused
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.work.standing import Standing, StandingId
from desktop_rag.work.standing_check import ask, begin, begin_table, check
from desktop_rag.work.table import TableId
from desktop_rag.work.work_store import WorkStore, erase_work
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import filled, filler_of

AMENDMENT = "# Amendment\n\nThe rent of the mill is 950 euros a month from May.\n"
QUESTION = "What is the rent of the mill?"
T = TypeVar("T")


def ended(job: Generator[AgentEvent, None, T]) -> T:
    while True:
        try:
            next(job)
        except StopIteration as stopped:
            value: T = stopped.value
            return value


@pytest.fixture
def asked(store: WorkStore, engine: SearchEngine) -> StandingId:
    return ended(begin(QUESTION, store, filler_of(engine, None), Stop()))


def add(library: SmallLibrary, files: dict[str, str]) -> None:
    library.add(files)
    library.encode()


def test_nothing_is_new_until_a_document_is_and_only_it_is_searched(
    asked: StandingId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    filler = filler_of(engine, None)
    first = store.standing(asked)
    assert first.answered is not None
    assert "900 euros" in first.answered.text
    assert check(asked, store, filler, Stop()).news == ()
    add(library, {"d.md": AMENDMENT, "e.md": "# Tea\n\nHot.\n"})
    found = check(asked, store, filler, Stop())
    assert [Path(each.path).name for each in found.news] == ["d.md"]
    assert found.since_ns == first.answered_ns
    assert check(asked, store, filler, Stop()).news == found.news  # what was seen is not searched again
    assert list(ask(asked, store, filler, Stop()))
    after = store.standing(asked)
    assert (after.news, len(after.updates)) == ((), 1)
    assert "950 euros" in after.updates[0].answered.text
    assert after.since_ns > first.answered_ns
    with pytest.raises(LibraryRefused, match="No passage was found since"):
        list(ask(asked, store, filler, Stop()))


def test_a_passage_is_told_once_also_after_its_document_was_edited(
    asked: StandingId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    filler = filler_of(engine, None)
    add(library, {"d.md": AMENDMENT})
    (told,) = check(asked, store, filler, Stop()).news
    add(library, {"d.md": AMENDMENT.replace("# Amendment", "# Second amendment")})
    (again,) = check(asked, store, filler, Stop()).news
    assert again.quote == told.quote
    assert again.sha256 != told.sha256
    add(library, {"a.md": "# The lease of the mill\n\nLandlord: Anna Meier\n\nThe rent is 900 euros a month.\n"})
    assert check(asked, store, filler, Stop()).news == (again,)  # the first answer cites it already


def test_words_that_stand_nowhere_any_more_are_gone(
    asked: StandingId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    add(library, {"a.md": "# Lease of the mill\n\nIt was given up.\n"})
    found = check(asked, store, filler_of(engine, None), Stop())
    assert [each.quote for each in found.gone] == ["The rent is 900 euros a month."]
    list(ask(asked, store, filler_of(engine, None), Stop()))
    after = store.standing(asked)
    assert after.gone == ()
    assert len(after.updates[0].gone) == 1
    assert check(asked, store, filler_of(engine, None), Stop()).gone == ()  # it was told


def test_a_model_says_what_changed_and_the_look_what_is_contradicted(
    store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    def answering(request: SeenRequest) -> Turn:
        text = json.dumps(request.messages)
        if request.is_look:
            says = "contradicts" if "costs 900" in request.last_text and "950 euros" in request.last_text else "says"
            words = "The rent of the mill is 950 euros a month" if says == "contradicts" else "900 euros"
            return Turn(text=json.dumps({"judgments": [{"number": 1, "says": says, "words": words}]}))
        if all(each["role"] != "tool" for each in request.messages):
            return Turn(calls=[Call("search", '{"queries": ["rent mill"]}')])
        file = "d.md, line 3" if "The last answer:" in text else "a.md, line 5"
        return Turn(text=f"The mill costs {'950' if file[0] == 'd' else '900'} euros a month [{file}].")

    with ScriptedEndpoint([answering] * 30, scripted_looks=True) as endpoint:
        filler = filler_of(engine, endpoint, look=True)
        with_profile = filler.__class__(
            filler.retriever, filler.settings, filler.built_in, filler.models, filler.spending, filler.models().profile
        )
        number = ended(begin(QUESTION, store, with_profile, Stop()))
        before = len(endpoint.requests)
        add(library, {"d.md": "# Amendment\n\nThe rent of the mill is 950 euros a month.\n"})
        check(number, store, with_profile, Stop())
        assert len(endpoint.requests) == before  # a check asks no model
        list(ask(number, store, with_profile, Stop()))
    update = store.standing(number).updates[0]
    assert "950 euros" in update.answered.text
    [against] = update.contradicted
    assert against.statement.startswith("The mill costs 900 euros")
    assert against.citation == 1


def test_rows_of_a_table_follow_its_scope(
    table: TableId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    filled(table, store, engine)
    filler = filler_of(engine, None)
    number = begin_table(table, store, filler, Stop(), Standing(""))
    assert check(number, store, filler, Stop()).count == 0
    add(library, {"d.md": "Landlord: Ida Berg\n", "a.md": "Landlord: Somebody Else\n"})
    assert check(number, store, filler, Stop()).count == 2
    filled(table, store, engine)
    assert check(number, store, filler, Stop()).count == 0
    with ScriptedEndpoint([]) as endpoint:  # what was not found without a model is no news with one
        assert check(number, store, filler_of(engine, endpoint), Stop()).count == 0
    assert {Path(row.path).name for row in store.load(table).rows} == {"a.md", "b.md", "c.md", "d.md"}
    store.delete(table)
    assert check(number, store, filler, Stop()).trouble == "This table was deleted."
    assert store.standing(number).trouble == "This table was deleted."
    store.delete_standing(number)
    with pytest.raises(LibraryRefused):
        check(number, store, filler, Stop())


def test_a_look_that_fails_says_why_until_one_succeeds(
    asked: StandingId, store: WorkStore, engine: SearchEngine, library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise LibraryError("The search has ended. Please try again.")

    add(library, {"d.md": AMENDMENT})
    with monkeypatch.context() as broken:
        broken.setattr(SearchEngine, "search", fails)
        assert check(asked, store, filler_of(engine, None), Stop()).trouble.startswith("The search has ended")
    kept = store.standing(asked)
    assert (kept.trouble, kept.count) == ("The search has ended. Please try again.", 0)
    found = check(asked, store, filler_of(engine, None), Stop())  # nothing that is new was passed over
    assert (found.trouble, found.count) == ("", 1)


def test_forgetting_a_folder_erases_what_cites_it(asked: StandingId, store: WorkStore, library: SmallLibrary) -> None:
    [cited, *_] = store.standing(asked).citations
    erase_work(library.layout, Forgotten(b"/elsewhere", frozenset((cited.sha256,))))
    assert store.all_standing() == ()


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_earlier_version_gets_what_it_lacks(store: WorkStore, library: SmallLibrary, version: int) -> None:
    store._db.execute("DROP TABLE standing")
    if version == 1:
        store._db.execute("DROP TABLE report")
    store._db.execute(f"PRAGMA user_version = {version}")
    store.close()
    later = WorkStore(library.layout)
    assert later.all_standing() == ()
    assert later.reports() == ()
    assert later.put_standing(Standing("What?")) == 1
    later.close()
