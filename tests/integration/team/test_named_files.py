"""Files without text are found by their names in a team's library as in the library on this computer."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.errors import ProblemKind
from desktop_rag.index.records import FileState
from desktop_rag.retrieval.api import Mode, NamedFile, Scope, SearchRequest, Sort
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Withheld
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import FILES
from desktop_rag.team.reader.team_engine import TeamEngine
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.retrieval.test_textless import add_textless
from tests.integration.retrieval.test_textless_names import QUERIES
from tests.integration.team.conftest import Copy, Nodes, copy_of, count, refresh

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def copy(nodes: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    library = SmallLibrary(tmp_path_factory.mktemp("named"))
    add_textless(library)
    found = copy_of(library, nodes, "named")
    yield found
    for each in (found.local, found.team, found.connection, library):
        each.close()


def named(copy: Copy, request: SearchRequest) -> tuple[NamedFile, ...]:
    """Return what both libraries find, which is the same; those of the team are told to be on its server."""
    here, there = copy.local.search(request, Stop()), copy.team.search(request, Stop())
    assert there.named == tuple(replace(file, away=True) for file in here.named)
    assert {hit.path for hit in there.hits} == {hit.path for hit in here.hits}
    return there.named


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID])
@pytest.mark.parametrize(("query", "names"), QUERIES)
def test_names_find_the_same_files(copy: Copy, query: str, names: list[str], mode: Mode) -> None:
    assert sorted(file.path.name for file in named(copy, SearchRequest(query, mode))) == names


def test_its_state_is_explained(copy: Copy) -> None:
    for file in named(copy, SearchRequest("passport", Mode.KEYWORD)):
        status = copy.team.explain(file.path, None, Stop()).status
        assert status.sentence.startswith("It has no text, and is found by its name only.")
        assert file.reason in status.sentence
    assert "no folder" in copy.team.explain(copy.library.files / "passport.zip", None, Stop()).status.sentence


def test_filters_order_and_what_is_never_sent_hold(copy: Copy) -> None:
    request = SearchRequest("beach", Mode.KEYWORD)
    by_size = named(copy, replace(request, sort=Sort.SIZE))
    assert [file.size for file in by_size] == [30, 20]
    assert named(copy, replace(request, filters=(Filter(FileField.EXT, "pdf"),))) == ()
    withheld = Withheld((bytes(by_size[0].path),))
    assert [file.size for file in named(copy, replace(request, scope=Scope(withheld=withheld)))] == [20]


def test_a_drive_shows_where_the_file_is_here(copy: Copy, nodes: Nodes, tmp_path: Path) -> None:
    mounts = ((str(copy.library.files), str(tmp_path)),)
    with closing(TeamEngine(nodes.connect("named"), mounts=mounts)) as engine:
        (found,) = engine.search(SearchRequest("passport", Mode.KEYWORD), Stop()).named
        assert found.path == tmp_path / "pictures" / "Passport Anna 2021.psd"
        hidden = Scope(withheld=Withheld((bytes(found.path),)))
        assert not engine.search(SearchRequest("passport", Mode.KEYWORD, scope=hidden), Stop()).named


def test_the_writer_follows_files_that_change_and_go(nodes: Nodes, tmp_path: Path) -> None:
    library = SmallLibrary(tmp_path)
    folder = add_textless(library)
    copy = copy_of(library, nodes, "followed")
    assert count(copy.connection, FILES) == 4
    files = library.catalog.files.of_folder(folder)
    library.catalog.files.set_outcome(
        files[b"beachHouse.raw"].id, FileState.SKIPPED, "Another reason.", ProblemKind.OTHER
    )
    library.catalog.files.remove(files[b"holiday_beach.raw"].id)
    library.commit()
    with closing(TeamEngine(nodes.connect("followed"))) as engine:  # not refreshed: what is gone is not shown
        request = SearchRequest("beach", Mode.KEYWORD)
        assert len(engine.search(request, Stop()).named) == 2
        copy.sync.compare_all(Stop())
        (left,) = engine.search(request, Stop()).named
        assert left.path.name == "beachHouse.raw"
        refresh(copy.connection)
        assert engine.search(request, Stop()).named[0].reason == "Another reason."
    assert count(copy.connection, FILES) == 3
    for each in (copy.local, copy.team, copy.connection, library):
        each.close()


def test_a_library_of_an_earlier_version_has_none_until_it_is_written_again(nodes: Nodes, tmp_path: Path) -> None:
    library = SmallLibrary(tmp_path)
    add_textless(library)
    copy = copy_of(library, nodes, "earlier")
    copy.connection.ask("DELETE", f"/{copy.connection.index(FILES)}")
    request = SearchRequest("passport OR sea", Mode.KEYWORD)
    with closing(TeamEngine(nodes.connect("earlier"))) as engine:
        found = engine.search(request, Stop())
        assert (len(found.hits), found.named, found.troubles) == (1, (), ())
    again = copy_of(library, nodes, "earlier")
    assert again.team.search(request, Stop()).named
    for each in (copy.local, copy.team, copy.connection, again.local, again.team, again.connection, library):
        each.close()
