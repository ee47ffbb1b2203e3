"""Layouts are stored compressed; those of older catalogs, which are not, are read as well."""

import dataclasses
from array import array
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document, OutlineEntry, Structure
from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_schema import FORMAT, OLDEST
from desktop_rag.index.catalog.stored_values import BOX_BYTES, pack_boxes, unpack_boxes
from desktop_rag.index.records import ContentId
from tests.integration.index.conftest import document_of

LINES = 400
STORED = "SELECT length(boxes), length(structure) FROM layout"


def paged_document() -> Document:
    plain = document_of("\n".join(f"Line {number} of the report." for number in range(LINES)))
    boxes = array("f", [side for number in range(LINES) for side in (72.0, 10.5 * number, 510.25, 10.5 * number + 9)])
    outline = tuple(OutlineEntry(number, 1, f"Chapter {number}") for number in range(1, LINES, 4))
    return dataclasses.replace(plain, boxes=boxes.tobytes(), structure=Structure(outline=outline))


def stored(catalog: Catalog, document: Document) -> ContentId:
    return catalog.contents.store(b"some bytes", document, split(document))


def test_places_of_lines_and_outlines_take_less_and_come_back(catalog: Catalog) -> None:
    document = paged_document()
    content = stored(catalog, document)
    boxes, structure = catalog.database.row(tuple[int, int], STORED) or (0, 0)
    assert boxes < BOX_BYTES * LINES / 2
    assert structure < 1000, "of 3,341"
    layout = catalog.contents.layout(content)
    assert (layout.boxes, layout.structure.outline) == (document.boxes, document.structure.outline)
    assert catalog.contents.structure(content).outline == document.structure.outline
    assert catalog.contents.is_intact(content)


def test_layouts_of_an_older_catalog_are_read_and_new_ones_not_by_an_older_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, document = tmp_path / "catalog.sqlite", paged_document()
    with monkeypatch.context() as older, closing(Catalog.open(path)) as catalog:
        older.setattr("desktop_rag.index.catalog.content_writer.pack_boxes", bytes)
        older.setattr("desktop_rag.index.catalog.stored_values._SHORT", 1 << 20)
        content = stored(catalog, document)
        assert catalog.database.row(tuple[int, int], STORED) == (BOX_BYTES * LINES, 3341)
        catalog.database.execute(f"PRAGMA user_version={OLDEST}")
    with closing(Catalog.open(path)) as catalog:
        layout = catalog.contents.layout(content)
        assert (layout.boxes, layout.structure.outline) == (document.boxes, document.structure.outline)
        assert catalog.contents.is_intact(content)
        assert catalog.database.number("PRAGMA user_version") == FORMAT > OLDEST


@pytest.mark.parametrize("lines", range(40))
def test_any_number_of_places_comes_back(lines: int) -> None:
    boxes = array("f", [float(number % 7) for number in range(4 * lines)]).tobytes()
    assert unpack_boxes(pack_boxes(boxes)) == boxes


@pytest.mark.parametrize("column", ["boxes", "structure"])
@pytest.mark.parametrize("damage", ["substr({0}, 1, length({0}) - 9)", "CAST(substr({0}, 1, 3) || x'ffff' AS BLOB)"])
def test_damaged_layouts_are_told(catalog: Catalog, column: str, damage: str) -> None:
    content = stored(catalog, paged_document())
    packed = len(pack_boxes(paged_document().boxes))
    assert (packed - 9) % BOX_BYTES, "else it would be taken for boxes"
    catalog.database.execute(f"UPDATE layout SET {column} = {damage.format(column)}")
    assert not catalog.contents.is_intact(content)
    with pytest.raises(LibraryDamaged):
        catalog.contents.layout(content)
