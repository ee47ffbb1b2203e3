from pathlib import Path

from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from benchmarks.security.payloads import payloads
from desktop_rag.gui.search.query_row import QueryRow
from desktop_rag.gui.search.search_events import MOST_RECENT, RecentSearch, SavedSearches, load, store
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.text.hidden_characters import visible

RENT = RecentSearch("rent", Mode.KEYWORD, (Filter(FileField.EXT, ".pdf"),))


def test_what_is_kept_is_there_after_a_restart(tmp_path: Path) -> None:
    kept = SavedSearches().with_recent(RecentSearch("cats")).with_saved("The rent", RENT)
    store(tmp_path, kept)
    assert load(tmp_path) == kept
    assert (tmp_path / "searches.json").stat().st_mode & 0o077 == 0


def test_a_query_is_remembered_once_and_the_oldest_are_forgotten() -> None:
    kept = SavedSearches()
    for number in range(MOST_RECENT + 5):
        kept = kept.with_recent(RecentSearch(f"word {number}"))
    kept = kept.with_recent(RecentSearch("word 20", Mode.EXACT))
    assert len(kept.recent) == MOST_RECENT
    assert kept.recent[0] == RecentSearch("word 20", Mode.EXACT)
    assert [search.query for search in kept.recent].count("word 20") == 1


def test_a_saved_search_is_replaced_and_deleted_by_its_name() -> None:
    kept = (
        SavedSearches().with_saved("b", RecentSearch("one")).with_saved("a", RENT).with_saved("b", RecentSearch("two"))
    )
    assert [(saved.name, saved.search.query) for saved in kept.saved] == [("a", "rent"), ("b", "two")]
    assert [saved.name for saved in kept.without_saved("a").saved] == ["b"]


def test_a_damaged_file_and_a_missing_library_keep_nothing(tmp_path: Path) -> None:
    (tmp_path / "searches.json").write_bytes(b"{not json")
    assert load(tmp_path) == SavedSearches()
    store(tmp_path / "gone", SavedSearches().with_recent(RENT))
    assert not (tmp_path / "gone").exists()
    assert load(tmp_path / "gone") == SavedSearches()


def test_orders_in_names_and_queries_of_a_strangers_file_are_seen_in_the_menu(tmp_path: Path, qtbot: QtBot) -> None:
    kept = SavedSearches()
    for order in payloads():
        kept = kept.with_saved(order.text, RecentSearch(order.text)).with_recent(RecentSearch(order.text))
    store(tmp_path, kept)
    row = QueryRow()
    qtbot.addWidget(row)
    row.show_kept(load(tmp_path))
    menu = row.kept_menu()
    (dropping,) = menu.findChildren(QMenu)
    texts = [action.text() for each in (menu, dropping) for action in each.actions()]
    menu.deleteLater()
    assert len(texts) > 2 * len(kept.saved)
    assert [text for text in texts if visible(text) != text] == []
