"""Two pages, or two programs, that use the stored work of a library for the first time at once."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import WorkError
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.library import Library
from desktop_rag.work import work_store
from desktop_rag.work.work_store import WorkStore


def test_who_comes_second_finds_the_tables_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, created = Library(tmp_path / "library"), work_store._create
    troubles: list[WorkError] = []

    def open_again() -> None:
        try:
            WorkStore(library).close()
        except WorkError as error:
            troubles.append(error)

    second = threading.Thread(target=open_again)

    def create(db: Database, found: int) -> None:
        if not second.ident:
            second.start()
            second.join(0.3)  # it has seen an empty file by then, and waits for the transaction
        created(db, found)

    monkeypatch.setattr(work_store, "_create", create)
    with closing(WorkStore(library)) as store:
        second.join()
        assert troubles == []
        assert store.tables() == ()
