"""Tables are filled by a scripted endpoint, or without a model; every fault is said, and nothing found is lost."""

import json
import os
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.agent.events import BUILT_IN_MODEL
from desktop_rag.errors import LibraryRefused, Stopped, WorkBusy, WorkError
from desktop_rag.index.library import Library
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import PrivacyOptions, Settings, save
from desktop_rag.stop import Stop
from desktop_rag.work.columns import read_columns
from desktop_rag.work.filling import CellAsked, CellFilled, FillEnded, FillEvent, RowGone, RowsChecked, estimate, fill
from desktop_rag.work.row_reading import rows_of
from desktop_rag.work.table import CellState, Row, Table, TableId
from desktop_rag.work.work_store import WorkStore, erase_work
from tests.endpoint import ScriptedEndpoint, ScriptEntry, SeenRequest, Turn
from tests.integration.agent.gated_runs import library_of
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import answered, by_document, filled, filler_of


def values(table: Table) -> list[list[str]]:
    return [[table.cell(row.number, column.id).shown for column in table.columns] for row in table.rows]


def ended(events: Sequence[FillEvent]) -> FillEnded:
    last = events[-1]
    assert isinstance(last, FillEnded)
    return last


def test_each_cell_has_its_value_and_the_line_that_proves_it(
    table: TableId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    with ScriptedEndpoint([by_document] * 6) as endpoint:
        events = filled(table, store, engine, endpoint)
    assert ended(events) == FillEnded(6, 0, ended(events).used)
    assert ended(events).used.requests == 6
    again = WorkStore(library.layout)  # as another start of the program sees it
    loaded = again.load(table)
    again.close()
    assert values(loaded) == [["Anna Meier", "900 euros"], ["Kestrel Ltd", "1,200 euros"], ["Oskar Adler", ""]]
    rent = loaded.cell(2, 2)
    assert rent.proof is not None
    assert (rent.normal, rent.proof.citation.first_line, rent.proof.citation.verdict) == ("1200|EUR", 5, "verbatim")
    assert loaded.cell(3, 2).state is CellState.ABSENT
    assert loaded.cell(3, 2).note == ""  # the whole document was read
    assert loaded.wanting(by_model=True) == ()


def test_the_lines_of_a_document_are_read_once_by_a_server(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([by_document] * 6) as endpoint:
        filled(table, store, engine, endpoint)
        asked = sorted(request.last_text.split("\nQuestion: ")[0] for request in endpoint.requests)
    assert asked[::2] == asked[1::2]  # what a server has kept of one question is the beginning of the next
    assert len(set(asked)) == 3


def test_a_second_look_gives_the_values_of_a_row_their_marks(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    look = Turn(text='1. says "rent is 900 euros"')  # of the other one the whole statement stands in its line
    script: list[ScriptEntry] = [by_document, by_document, look]
    with ScriptedEndpoint(script, scripted_looks=True) as endpoint:
        filled(table, store, engine, endpoint, [(1, 1), (1, 2)], look=True)
    loaded = store.load(table)
    marks = [proof.claim.mark for each in (1, 2) if (proof := loaded.cell(1, each).proof)]
    assert marks == ["quoted", "read"]


def test_a_second_look_that_failed_is_told_and_made_up_for(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    down = Turn(status=401, body='{"error": {"message": "The account is closed.", "code": "invalid_api_key"}}')
    places = [(1, 1), (1, 2)]
    with ScriptedEndpoint([by_document, by_document, down], scripted_looks=True) as endpoint:
        last = ended(filled(table, store, engine, endpoint, places, look=True))
    assert (last.title, last.left) == ("The second look failed", 0)
    assert "key" in last.trouble
    assert store.load(table).cell(1, 2).note.startswith("The second look at this value is wanting")
    assert (1, 2) not in store.load(table).wanting(by_model=True)
    look = Turn(text='1. says "rent is 900 euros"')
    store.remove_rows(table, [2, 3])
    with ScriptedEndpoint([look], scripted_looks=True) as endpoint:  # no cell is asked anew
        assert ended(filled(table, store, engine, endpoint, look=True)).trouble == ""
    cell = store.load(table).cell(1, 2)
    assert cell.proof is not None
    assert (cell.value, cell.note, cell.proof.claim.mark) == ("900 euros", "", "read")
    assert store.load(table).wanting(by_model=True, looks=True) == ()


def test_no_more_requests_are_sent_than_were_told(table: TableId, store: WorkStore, engine: SearchEngine) -> None:
    unread = answered("900 euros", "words that stand nowhere")
    store.remove_rows(table, [2, 3])
    nothing = Turn(text="I cannot say.")
    with ScriptedEndpoint(
        [unread, by_document, unread, by_document, nothing, nothing], scripted_looks=True
    ) as endpoint:
        filler = filler_of(engine, endpoint, look=True)
        told = estimate(filler, filler.wanting(store.load(table)))
        assert ended(list(fill(table, store, filler, Stop()))).trouble == ""
        sent = len(endpoint.requests)
    assert sent == 6
    assert sent <= told.requests


def test_an_endpoint_that_ends_midway_keeps_what_was_found(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    refused = Turn(status=401, body='{"error": {"message": "The account is closed.", "code": "invalid_api_key"}}')
    with ScriptedEndpoint([by_document, by_document, by_document, *[refused] * 9]) as endpoint:
        last = ended(filled(table, store, engine, endpoint))
    assert last.title == "The model asks for a key"
    assert (last.filled, last.left) == (3, 3)
    assert sum(cell.is_asked for cell in store.load(table).cells.values()) == 3
    with ScriptedEndpoint([by_document] * 3) as endpoint:
        assert ended(filled(table, store, engine, endpoint)) == FillEnded(3, 0, ended([last]).used)
    assert store.load(table).wanting(by_model=True) == ()


def test_a_model_that_answers_in_prose_is_asked_once_more_and_not_for_all_cells(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    prose = Turn(text="The landlord seems to be Anna Meier, as far as I can see.")
    with ScriptedEndpoint([prose] * 12) as endpoint:
        last = ended(filled(table, store, engine, endpoint))
        asked = len(endpoint.requests)
    assert asked <= 2 * 4  # two lanes, each may be at a further cell
    failed = [cell for cell in store.load(table).cells.values() if cell.state is CellState.FAILED]
    assert f"{len(failed)} cells in a row got no answer, so no more were asked" in last.trouble
    assert len(failed) >= 3
    assert failed[0].note == "The model answered, but not with a value and a quotation."
    assert len(store.load(table).wanting(by_model=True)) == 6  # nothing is taken for a result


def test_a_reply_in_prose_is_repaired(table: TableId, store: WorkStore, engine: SearchEngine) -> None:
    with ScriptedEndpoint([Turn(text="It is Anna Meier."), by_document]) as endpoint:
        filled(table, store, engine, endpoint, [(1, 1)])
        assert "Write only the JSON object" in endpoint.requests[1].last_text
    assert store.load(table).cell(1, 1).value == "Anna Meier"


def test_nothing_is_kept_of_a_value_that_the_model_gives_up(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([answered("Bernd Invented", "made with Bernd Invented"), answered("", "")]) as endpoint:
        filled(table, store, engine, endpoint, [(1, 1)])
    cell = store.load(table).cell(1, 1)
    assert (cell.state, cell.value, cell.normal, cell.proof) == (CellState.ABSENT, "", "", None)


def test_words_that_stand_nowhere_are_told(table: TableId, store: WorkStore, engine: SearchEngine) -> None:
    invented = answered("Bernd Invented", "This lease is made with Bernd Invented")
    with ScriptedEndpoint([invented, invented]) as endpoint:
        filled(table, store, engine, endpoint, [(1, 1)])
    proof = store.load(table).cell(1, 1).proof
    assert proof is not None
    assert (proof.citation.verdict, proof.claim.mark) == ("not found", "altered")


def test_a_cell_is_asked_again_singly_and_a_correction_stays(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    store.correct(table, (1, 1), "Anna Meier-Roth", "anna meier-roth")
    assert (1, 1) not in store.load(table).wanting(by_model=True)
    with ScriptedEndpoint([by_document]) as endpoint:
        events = filled(table, store, engine, endpoint, [(1, 1)])
    assert [type(each) for each in events] == [RowsChecked, CellAsked, CellFilled, FillEnded]
    cell = store.load(table).cell(1, 1)
    assert (cell.value, cell.correction, cell.shown) == ("Anna Meier", "Anna Meier-Roth", "Anna Meier-Roth")
    store.correct(table, (1, 1), None)
    assert store.load(table).cell(1, 1).shown == "Anna Meier"


def test_without_a_model_the_document_states_its_cells(table: TableId, store: WorkStore, engine: SearchEngine) -> None:
    assert ended(filled(table, store, engine)).filled == 6
    loaded = store.load(table)
    assert values(loaded) == [["Anna Meier", "900 euros"], ["Kestrel Ltd", "1,200 euros"], ["Oskar Adler", ""]]
    assert {cell.by for cell in loaded.cells.values()} == {BUILT_IN_MODEL}


def test_cells_of_a_changed_document_are_stale_and_only_they_are_asked(
    table: TableId, store: WorkStore, library: SmallLibrary
) -> None:
    first = SearchEngine(library.layout.folder)
    filled(table, store, first)
    first.close()
    path = library.files / "home" / "b.md"
    path.write_text("# Lease of the barn\n\nLandlord: Harbour Ltd\n\nThe rent is 1,300 euros a month.\n")
    folder = library.catalog.folders.all()[0].id
    library.put(folder, "b.md", path)
    library.commit()
    second = SearchEngine(library.layout.folder)
    events = filled(table, store, second)
    second.close()
    checked = events[0]
    assert isinstance(checked, RowsChecked)
    assert checked.cells == 2
    assert all(checked.table.is_stale(checked.table.rows[1], column.id) for column in checked.table.columns)
    assert values(store.load(table))[1] == ["Harbour Ltd", "1,300 euros"]


def test_a_document_that_vanished_keeps_its_cells(
    table: TableId, store: WorkStore, library: SmallLibrary, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([by_document] * 2) as endpoint:
        filled(table, store, engine, endpoint, [(1, 1), (2, 1)])
    folder = library.catalog.folders.all()[0].id
    (library.files / "home" / "a.md").unlink()
    library.catalog.files.remove(library.catalog.files.of_folder(folder)[os.fsencode("a.md")].id)
    other = SearchEngine(library.layout.folder)
    with ScriptedEndpoint([by_document] * 3) as endpoint:
        assert ended(filled(table, store, other, endpoint)).left == 0
    other.close()
    loaded = store.load(table)
    assert [row.gone for row in loaded.rows] == [True, False, False]
    assert loaded.cell(1, 1).value == "Anna Meier"
    assert loaded.wanting(by_model=True) == ()


def test_a_document_that_vanishes_midway_is_told_and_the_others_are_filled(
    table: TableId, store: WorkStore, library: SmallLibrary, engine: SearchEngine
) -> None:
    removed = threading.Event()

    def once_removed(request: SeenRequest) -> Turn:
        assert removed.wait(60)
        return by_document(request)

    events: list[FillEvent] = []
    with ScriptedEndpoint([once_removed] * 6) as endpoint:
        for event in fill(table, store, filler_of(engine, endpoint), Stop()):
            events.append(event)
            if isinstance(event, CellAsked) and not removed.is_set():
                folder = library.catalog.folders.all()[0].id
                (library.files / "home" / "c.md").unlink()
                library.catalog.files.remove(library.catalog.files.of_folder(folder)[b"c.md"].id)
                removed.set()
    assert [event.row.number for event in events if isinstance(event, RowGone)] == [3]
    assert (ended(events).filled, ended(events).left, ended(events).trouble) == (4, 2, "")
    assert values(store.load(table))[:2] == [["Anna Meier", "900 euros"], ["Kestrel Ltd", "1,200 euros"]]


@pytest.mark.slow
def test_after_an_end_at_cell_312_only_the_rest_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = read_columns([f"Question {number}" for number in range(20)])
    refused = Turn(status=401, body='{"error": {"message": "The account is closed.", "code": "invalid_api_key"}}')
    files = {f"{number}.md": f"# Lease {number}\n\nNothing.\n" for number in range(16)}
    with (
        library_of(files, tmp_path, monkeypatch) as library,
        closing(WorkStore(library.layout)) as store,
        closing(SearchEngine(library.layout.folder)) as engine,
    ):
        table = store.create("Leases", columns, rows_of(engine, (), Stop()))
        with ScriptedEndpoint([*[answered("", "")] * 312, *[refused] * 9]) as endpoint:
            last = ended(filled(table, store, engine, endpoint))
        assert (last.filled, last.left, last.title) == (312, 8, "The model asks for a key")
        with ScriptedEndpoint([answered("", "")] * 8) as endpoint:
            assert ended(filled(table, store, engine, endpoint)).filled == 8


def test_a_document_that_is_never_sent_is_filled_without_the_model(
    table: TableId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    secret = str(library.files / "home" / "b.md")
    save(settings_file(), Settings(privacy=PrivacyOptions(never_send=(secret,))))
    with ScriptedEndpoint([by_document] * 4) as endpoint:
        assert ended(filled(table, store, engine, endpoint)).left == 0
        assert "Kestrel" not in json.dumps([each.body for each in endpoint.all_requests])
    cell = store.load(table).cell(2, 1)
    assert (cell.value, cell.by) == ("Kestrel Ltd", BUILT_IN_MODEL)


def test_a_second_program_is_told_that_the_table_is_being_filled(
    table: TableId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    other = WorkStore(library.layout)
    with other.filling(table), pytest.raises(WorkBusy, match="Another program is filling this table"):
        filled(table, store, engine)
    assert ended(filled(table, store, engine)).left == 0
    before = store.revision()
    other.rename(table, "Renamed elsewhere")
    assert store.revision() != before
    other.close()


def test_stop_stops_and_keeps_the_cells(table: TableId, store: WorkStore, engine: SearchEngine) -> None:
    stop = Stop()

    def fill_until_the_first_cell() -> None:
        for event in fill(table, store, filler_of(engine, endpoint), stop):
            if isinstance(event, CellFilled):
                stop.set()

    held = [Turn(hold=threading.Event())] * 5
    with ScriptedEndpoint([by_document, *held]) as endpoint, pytest.raises(Stopped):
        fill_until_the_first_cell()
    assert sum(cell.is_asked for cell in store.load(table).cells.values()) == 1


def test_a_full_disk_ends_the_filling_with_a_sentence(table: TableId, store: WorkStore, engine: SearchEngine) -> None:
    copied = store.load(table)

    def fill_the_disk() -> None:
        for _ in range(1_000):
            store.create("More", copied.columns, copied.rows)

    store._db.execute(f"PRAGMA max_page_count = {store._db.number('PRAGMA page_count') + 1}")
    with pytest.raises(WorkError, match=r"The disk is full\. What was found so far is kept"):
        fill_the_disk()

    def fill_all_tables() -> None:
        for head in store.tables():
            filled(head.id, store, engine)

    with pytest.raises(WorkError, match="The disk is full"):
        fill_all_tables()
    store._db.execute("PRAGMA max_page_count = 1000000")
    assert ended(filled(table, store, engine)).left == 0


def test_ten_thousand_documents_are_refused_with_a_sentence(store: WorkStore, table: TableId) -> None:
    rows = [Row(0, f"{number:064x}", f"/d/{number}") for number in range(10_000)]
    with pytest.raises(LibraryRefused, match="These are 10,000 documents; a table has at most 2,000"):
        store.create("Many", store.load(table).columns, rows)


def test_columns_that_change_are_asked_anew_and_others_keep_their_cells(
    table: TableId, store: WorkStore, engine: SearchEngine
) -> None:
    filled(table, store, engine)
    landlord, rent = store.load(table).columns
    store.set_columns(table, (rent,))
    assert len(store.load(table).cells) == 3
    assert store.set_columns(table, (rent, landlord))[1].id == 3
    assert len(store.load(table).wanting(by_model=False)) == 3


def test_a_forgotten_folder_leaves_the_tables(
    table: TableId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    filled(table, store, engine)
    row = store.load(table).rows[1]
    erase_work(library.layout, Forgotten(b"/elsewhere", frozenset((row.sha256,))))
    loaded = store.load(table)
    assert [each.number for each in loaded.rows] == [1, 3]
    assert b"Kestrel" not in library.layout.work.read_bytes()


def test_the_work_belongs_to_the_files_of_a_library(store: WorkStore, table: TableId, library: SmallLibrary) -> None:
    with store.filling(table):
        names = {path.name for path in Library(library.layout.folder).files()}
    assert {"work.sqlite", f"table-{table}.lock"} <= names
