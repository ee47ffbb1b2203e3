"""The list of all files, compared with the rows of the catalog sorted and filtered in Python."""

import random
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.documents.file_types import Format
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_listing import FileListing
from desktop_rag.index.file_rows import PROBLEMS, FileColumn, FileQuery, ListedFile, ListedState
from desktop_rag.index.records import FileStat, FolderId
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put

_REASONS = (
    ("skipped", "Pictures (.psd) are not read yet", "type"),
    ("skipped", "Larger than 200 MB, the limit of this folder", "too large"),
    ("failed", "This PDF is damaged and cannot be opened.", "damaged"),
    ("failed", "This file is protected by a password.", "protected"),
)
_NAMES = (b"Plan 2.txt", b"plan 10.txt", "Ärger.md".encode(), b"zeta.pdf", b"caf\xe9\n.txt", b"a\xe2\x80\xaefdp.exe")


def fill(catalog: Catalog, put: Put, count: int = 120) -> None:
    """Put files of every state, type and size into two folders; names may be anything the system allows."""
    choose = random.Random(14)
    folders = [catalog.folders.add(path, is_file=False) for path in (b"/home/anna/work", b"/home/anna/Archive")]
    for number in range(count):
        folder, name = folders[number % 2], choose.choice(_NAMES)
        path = b"%d/%s" % (number, name)
        if choose.random() < 0.5:
            content = put(folder, path, f"text {number} " * choose.randrange(1, 30))
            state = choose.choice(("stored", "searchable", "ready"))
            partial = choose.choice(("", "", "3 pages without text"))
            catalog.database.execute(
                "UPDATE content SET state = ?, partial = ?, partial_kind = ?, page_count = ?, language = ? "
                "WHERE id = ?",
                (
                    state,
                    partial,
                    "scans" if partial else "",
                    choose.randrange(5),
                    choose.choice(("en", "de", "")),
                    content,
                ),
            )
        else:
            catalog.files.queue(folder, path, FileStat(choose.randrange(9_000_000), choose.randrange(10**18), 0, 1))
            if choose.random() < 0.8:
                values = choose.choice(_REASONS)
                catalog.database.execute(
                    "UPDATE file SET pending = 0, outcome = ?, reason = ?, reason_kind = ? "
                    "WHERE folder = ? AND path = ?",
                    (*values, folder, path),
                )


@pytest.fixture
def every(catalog: Catalog, put: Put) -> list[ListedFile]:
    fill(catalog, put)
    rows = listed(catalog, FileQuery())
    assert len(rows) == 120
    return rows


def listed(catalog: CatalogReader, query: FileQuery) -> list[ListedFile]:
    rows = FileListing(catalog).window(query, 0, 10_000).rows
    return [row for row in rows if row is not None]


def test_a_folder_tells_its_subfolders_and_its_own_files(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/home/anna/work", is_file=False)
    for path in (b"b.txt", b"Bills/2025/10.txt", b"Bills/2025/9.txt", b"Bills/a.txt", b"Bills 2/x.txt", b"A.txt"):
        put(folder, path, path.decode())
    listing = FileListing(catalog)
    whole = listing.contents(folder, b"", 10)
    assert whole.subfolders == ((b"Bills", 3), (b"Bills 2", 1))
    assert [row.path for row in whole.files] == [b"/home/anna/work/A.txt", b"/home/anna/work/b.txt"]
    assert listing.contents(folder, b"", 3).more == 1
    bills = listing.contents(folder, b"Bills", 10)
    assert (bills.subfolders, [row.path for row in bills.files]) == (((b"2025", 2),), [b"/home/anna/work/Bills/a.txt"])
    year = listing.contents(folder, b"Bills/2025", 10)
    assert [row.path[-6:] for row in year.files] == [b"/9.txt", b"10.txt"]
    below = listing.window(FileQuery(folder=folder, inside=b"Bills"), 0, 10)
    assert below.total == 3


def test_every_file_has_the_state_its_rows_say(catalog: Catalog, every: list[ListedFile]) -> None:
    files = {(f.folder, row): f for row in (1, 2) for f in catalog.files.of_folder(FolderId(row)).values()}
    assert len(files) <= len(every)
    by_path = {row.path: row for row in every}
    for folder in catalog.folders.all():
        for path, file in catalog.files.of_folder(folder.id).items():
            row = by_path[folder.path + b"/" + path]
            assert (row.size, row.modified_ns, row.content) == (file.stat.size, file.stat.mtime_ns, file.content)
            content = catalog.contents.by_id((file.content,)).get(file.content) if file.content else None
            expected = {
                "queued": ListedState.WAITING,
                "searchable": ListedState.WORDS,
                "ready": ListedState.MEANING,
                "pictures": ListedState.PICTURES,
                "skipped": ListedState.PROBLEM,
                "failed": ListedState.PROBLEM,
            }[file.state]
            if expected in (ListedState.WORDS, ListedState.MEANING) and content is not None and content.partial:
                expected = ListedState.PARTIAL
            assert row.state is expected
            assert (row.words, row.pages) == ((content.word_count, content.page_count) if content else (0, 0))


@pytest.mark.parametrize("column", [FileColumn.SIZE, FileColumn.MODIFIED, FileColumn.WORDS, FileColumn.PAGES])
@pytest.mark.parametrize("descending", [False, True])
def test_numbers_are_sorted_by_value(
    catalog: Catalog,
    every: list[ListedFile],
    column: FileColumn,
    descending: bool,
) -> None:
    value = {
        FileColumn.SIZE: lambda row: row.size,
        FileColumn.MODIFIED: lambda row: row.modified_ns,
        FileColumn.WORDS: lambda row: row.words,
        FileColumn.PAGES: lambda row: row.pages,
    }[column]
    expected = sorted(every, key=lambda row: (row.root, row.path.removeprefix(row.root)))
    expected.sort(key=value, reverse=descending)
    assert listed(catalog, FileQuery(column=column, descending=descending)) == expected


def test_names_are_sorted_without_case_and_accents_and_by_their_numbers(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/home/anna", is_file=False)
    for name in ("zeta.md", "plan 10.md", "Plan 2.md", "Ärger.md", "b.md"):
        put(folder, name.encode(), name)
    put(folder, b"caf\xe9.md", "not UTF-8")
    names = [row.path.rpartition(b"/")[2] for row in listed(catalog, FileQuery())]
    assert names == ["Ärger.md".encode(), b"b.md", b"caf\xe9.md", b"Plan 2.md", b"plan 10.md", b"zeta.md"]


@pytest.mark.parametrize("column", list(FileColumn))
def test_every_column_lists_every_file_once_and_backwards_in_reverse(
    catalog: Catalog, every: list[ListedFile], column: FileColumn
) -> None:
    up = listed(catalog, FileQuery(column=column))
    down = listed(catalog, FileQuery(column=column, descending=True))
    assert {row.file for row in up} == {row.file for row in down} == {row.file for row in every}
    assert Counter(row.kind for row in up) == Counter(row.kind for row in every)


def test_filters_choose_what_the_same_condition_in_python_chooses(catalog: Catalog, every: list[ListedFile]) -> None:
    conditions = (
        (FileQuery(states=PROBLEMS), lambda row: row.state in PROBLEMS),
        (FileQuery(states=(ListedState.WORDS,)), lambda row: row.state is ListedState.WORDS),
        (FileQuery(kind="text"), lambda row: row.kind == "text"),
        (FileQuery(kind=".exe"), lambda row: row.kind == ".exe"),
        (FileQuery(folder=FolderId(2)), lambda row: row.root == b"/home/anna/Archive"),
        (FileQuery(words="ÄRGER"), lambda row: "Ärger".encode() in row.path),
        (FileQuery(words="archive plan"), lambda row: b"/Archive/" in row.path and b"plan" in row.path.lower()),
        (FileQuery(words="%"), lambda row: b"%" in row.path),
        (FileQuery(words="'; DROP TABLE file"), lambda _: False),
        (FileQuery(problem=ProblemKind.PROTECTED), lambda row: "password" in row.reason),
        (FileQuery(problem=ProblemKind.SCANS), lambda row: row.reason.startswith("3 pages without")),
    )
    for query, condition in conditions:
        assert {row.file for row in listed(catalog, query)} == {row.file for row in every if condition(row)}, query
        assert FileListing(catalog).window(query, 0, 1).total == sum(map(condition, every)), query


def test_windows_are_parts_of_the_whole_list(catalog: Catalog, every: list[ListedFile]) -> None:
    query = FileQuery(column=FileColumn.SIZE)
    whole = listed(catalog, query)
    pieces = [row for first in range(0, 130, 7) for row in FileListing(catalog).window(query, first, 7).rows]
    assert pieces == whole
    assert FileListing(catalog).window(query, 500, 7).rows == ()
    assert len(every) == len(whole)


def test_the_order_stays_until_another_revision_is_asked(catalog: Catalog, every: list[ListedFile]) -> None:
    listing = FileListing(catalog)
    gone, *rest = every
    assert listing.window(FileQuery(), 0, 1).rows == (gone,)
    catalog.database.execute("DELETE FROM file WHERE id = ?", (gone.file,))
    stale = listing.window(FileQuery(), 0, 200)
    assert stale.total == 120
    assert stale.rows[0] is None
    fresh = listing.window(FileQuery(revision=1), 0, 200)
    assert fresh.rows == tuple(rest)


def test_a_removed_folder_is_not_listed(catalog: Catalog, every: list[ListedFile]) -> None:
    catalog.folders.remove(FolderId(1))
    left = listed(catalog, FileQuery(revision=1))
    assert {row.root for row in left} == {b"/home/anna/Archive"}
    assert FileListing(catalog).overview(None).files == len(left) < len(every)


def test_a_single_file_as_root_has_its_own_path(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/home/anna/lease.pdf", is_file=True)
    put(folder, b"", "rent")
    (row,) = listed(catalog, FileQuery(words="lease"))
    assert row.path == row.root == b"/home/anna/lease.pdf"


def test_the_statistics_are_the_sums_of_the_rows(catalog: Catalog, every: list[ListedFile]) -> None:
    overview = FileListing(catalog).overview(None)
    once = {row.content: row for row in every if row.content is not None}
    assert overview.files == len(every)
    assert overview.documents == len(once)
    assert overview.words == sum(row.words for row in once.values())
    assert overview.pages == sum(row.pages for row in once.values())
    assert overview.bytes == sum(row.size for row in every)
    assert dict(overview.states) == Counter(row.state for row in every)
    assert {tally.name: tally.files for tally in overview.kinds} == Counter(row.kind for row in every)
    assert sum(tally.files for tally in overview.languages) == len(once)
    groups = {group.kind: (group.files, group.retryable) for group in overview.problems}
    kinds = Counter(row.problem for row in every if row.problem is not None)
    opened = Counter(row.problem for row in every if row.problem is not None and not row.skipped)
    assert groups == {kind: (files, opened[kind]) for kind, files in kinds.items()}
    assert [group.files for group in overview.problems] == sorted(kinds.values(), reverse=True)


def test_the_paths_of_a_query_are_those_of_its_rows(catalog: Catalog, every: list[ListedFile]) -> None:
    query = FileQuery(states=PROBLEMS, column=FileColumn.NAME)
    expected = tuple((row.folder, row.path) for row in every if row.state in PROBLEMS)
    assert FileListing(catalog).paths(query, 1000) == expected
    assert FileListing(catalog).paths(query, 3) == expected[:3]


@pytest.mark.processes
def test_the_searcher_process_lists_hostile_names_unchanged(
    catalog: Catalog, every: list[ListedFile], tmp_path: Path
) -> None:
    catalog.checkpoint()
    client = SearcherClient(tmp_path / "library")
    try:
        window = client.list_files(FileQuery(), 0, 1000, Stop())
        assert window.rows == tuple(every)
        overview = client.overview(None, Stop())
        assert overview.disk.catalog >= 4096
        assert overview.disk.vectors == 0
    finally:
        client.close()


def test_a_library_that_does_not_exist_has_no_files(tmp_path: Path) -> None:
    engine = SearchEngine(tmp_path / "nowhere")
    assert engine.list_files(FileQuery(), 0, 10, Stop()).total == 0
    assert engine.overview(None, Stop()).files == 0
    assert engine.file_paths(FileQuery(), 10, Stop()) == ()


def test_problems_have_the_kind_that_was_stored_with_them(every: list[ListedFile]) -> None:
    stored = {reason: ProblemKind(kind) for _, reason, kind in _REASONS} | {"3 pages without text": ProblemKind.SCANS}
    of_text = [row for row in every if row.state in PROBLEMS and row.reason in stored]
    assert {row.reason for row in of_text} == set(stored)
    assert all(row.problem is stored[row.reason] for row in of_text)


def test_the_catalog_of_an_earlier_version_is_judged_again(catalog: Catalog, every: list[ListedFile]) -> None:
    path = catalog.database.path
    older = {(row.path, row.state, row.reason) for row in every}
    catalog.database.execute("ALTER TABLE file DROP COLUMN reason_kind; ALTER TABLE content DROP COLUMN partial_kind")
    with closing(CatalogReader.open(path)) as reader:  # before an indexer has opened it
        overview = FileListing(reader).overview(None)
        assert {group.kind for group in overview.problems} <= {ProblemKind.OTHER, ProblemKind.SCANS}
        unchanged = {(row.path, row.state, row.reason) for row in listed(reader, FileQuery())}
        assert unchanged == older
    failed = "SELECT path, mtime_ns FROM file WHERE outcome != ''"
    times = dict(catalog.database.rows(tuple[bytes, int], failed))
    whole = catalog.database.number("SELECT sum(mtime_ns % 1000003) FROM file WHERE outcome = ''")
    for _ in range(2):  # only once
        with closing(Catalog.open(path)) as opened:
            assert {(row.path, row.state, row.reason) for row in listed(opened, FileQuery())} == older
            assert dict(opened.database.rows(tuple[bytes, int], failed)) == {
                file: time + 1 for file, time in times.items()
            }, "the next scan finds them changed"
            assert opened.database.number("SELECT sum(mtime_ns % 1000003) FROM file WHERE outcome = ''") == whole


def test_a_file_that_was_not_read_has_the_type_of_its_name(catalog: Catalog, every: list[ListedFile]) -> None:
    kinds = {row.path.rpartition(b".")[2]: row.kind for row in every if row.content is None}
    assert kinds[b"pdf"] == Format.PDF
    assert kinds[b"exe"] == ".exe"
