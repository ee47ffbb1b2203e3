"""Rows of tables are shown with the names of their columns wherever quoted words are."""

from dataclasses import replace

import pytest

from desktop_rag.agent.citations.plain_answer import source_rows
from desktop_rag.agent.citations.quoted_rows import labelled_row, shown_words
from desktop_rag.agent.events import Citation
from desktop_rag.gui.conversation.export.exported_conversation import note_text
from desktop_rag.gui.conversation.sources.citation_card import _shown
from desktop_rag.gui.formatting import citation_tip, reference
from desktop_rag.index.records import ContentId

ROW = Citation(
    number=1,
    reference="turn1search1",
    content=ContentId(1),
    sha256="",
    path="/data/measured.csv",
    title="measured",
    format="csv",
    page=None,
    first_line=9,
    last_line=9,
    quote="ST38 2024-11-15 25.4",
    passage="ST37\t2024-11-15\t4.0\nST38\t2024-11-15\t25.4\nST39\t2024-11-15\t7.7",
    passage_first_line=8,
    verdict="verbatim",
    columns="station\tdate\ttemperature",
)
SHOWN = "station: ST38 · date: 2024-11-15 · temperature: 25.4"


@pytest.mark.parametrize(
    ("row", "columns", "shown"),
    [
        ("ST38\t2024-11-15\t25.4", "station\tdate\ttemperature", SHOWN),
        ("| Flat C2 | | **348** |", "| Flat | Month | kWh |", "Flat: Flat C2 · kWh: 348"),
        ("Rent\t900\t950", "\t2023\t2024", "Rent · 2023: 900 · 2024: 950"),
        ("Rent\t900\t950", "2023\t2024", "Rent · 900 · 950"),  # not a name above each cell
        ("ST38\t25.4", "", "ST38 · 25.4"),
    ],
)
def test_cells_come_after_the_names_of_their_columns(row: str, columns: str, shown: str) -> None:
    assert labelled_row(row, columns) == shown


def test_sources_tips_exports_and_clipboard_show_the_same() -> None:
    assert shown_words(ROW) == SHOWN
    assert all(SHOWN in text for text in (*source_rows([ROW]), note_text(ROW), citation_tip(ROW), reference(ROW)))


def test_a_part_of_a_row_and_prose_stay_as_they_are() -> None:
    assert shown_words(replace(ROW, quote="25.4")) == "25.4"
    assert shown_words(replace(ROW, passage="a\nST38 2024-11-15 25.4", columns="")) == ROW.quote


def test_the_card_has_the_names_above_the_rows() -> None:
    lines = _shown(ROW, ROW.passage.split("\n"), 8)
    assert [line.text for line in lines][:3] == [
        "station · date · temperature",
        "ST37 · 2024-11-15 · 4.0",
        "ST38 · 2024-11-15 · 25.4",
    ]
    [(start, end)] = lines[2].marks
    assert lines[2].text[start:end] == "ST38 · 2024-11-15 · 25.4"
    whole = replace(ROW, passage=f"{ROW.columns}\n{ROW.passage}", passage_first_line=7)
    assert len(_shown(whole, whole.passage.split("\n"), 7)) == 4  # they are there already
