"""Labels: the word that makes a statement false stands nowhere near the cited lines; an honest statement follows."""

import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks.lies.altered import (
    ALTERATIONS,
    factor_of_ten,
    other_place,
    other_year,
)
from benchmarks.lies.cases import HALVES, LieCase, half_of
from benchmarks.lies.collection import make_cases
from benchmarks.lies.documents import SourceDocument, StoredDocument, data_pack_documents, store
from benchmarks.lies.facts import SourceSentence, TableRow, rows_of, sentences_of
from benchmarks.lies.honest import computed, introduced, merged, miscomputed, translated_row
from benchmarks.lies.paraphrases import (
    by_active_voice,
    by_date_format,
    by_reordering,
    by_shortening,
    by_surname,
    by_synonyms,
)
from desktop_rag.errors import BenchError
from desktop_rag.index.library import Library

BRIDGE = """# The Kessel bridge

The bridge over the Kessel was designed by Maria Lindgren in 1931 and opened on May 14, 1934.
It has a length of 4,310 feet, and many of its 96 arches were rebuilt after the flood of 1958.
Henry Okoro was not paid for the model that he gave to the museum in Denmark.
Traffic increased by 12.5 percent in the first decade, as the county of Belfry had expected.
Maria Lindgren defeated Henry Okoro.
"""
CHOIR = """# The choir of Saint Olave

Albert Pym has led the choir of Saint Olave since the winter of 1977, in the old school.
The singers rehearse on Tuesdays, usually in the hall of Norway House, which the parish owns.
Germany was the first country that they visited, with a bus borrowed from a brewery.
"""
FILING = "\n".join(
    (
        "(in millions)\t2022\t2021\t2020",
        "Net sales\t$ 4,400\t$ 4,000\t$ 3,500",
        "Goodwill\t1,150\t1,210\t1,105",
        "Diluted shares\t210\t215\t220",
        "Operating income\t(150)\t230\t310",
    )
)


@pytest.fixture
def stored(tmp_path: Path) -> dict[str, StoredDocument]:
    documents = [
        SourceDocument("bridge.md", BRIDGE.encode(), "musique", "The Kessel bridge"),
        SourceDocument("choir.md", CHOIR.encode(), "musique", "The choir of Saint Olave"),
        SourceDocument("filing.txt", FILING.encode(), "financebench", "Filing"),
    ]
    return store(Library(tmp_path / "library"), documents)


@pytest.fixture
def bridge(stored: dict[str, StoredDocument]) -> list[SourceSentence]:
    return sentences_of(stored["bridge.md"])


@pytest.fixture
def sales(stored: dict[str, StoredDocument]) -> TableRow:
    return rows_of(stored["filing.txt"])[0]


@pytest.fixture
def cases(stored: dict[str, StoredDocument]) -> list[LieCase]:
    return make_cases(stored)


def chances() -> Iterator[random.Random]:
    return (random.Random(seed) for seed in range(20))


def test_sentences_have_their_lines_and_those_that_need_others_are_left_out(bridge: list[SourceSentence]) -> None:
    assert [(s.place.first, s.text.split()[0]) for s in bridge] == [(3, "The"), (5, "Henry"), (6, "Traffic")]


def test_rows_have_the_years_and_the_unit_of_their_header(stored: dict[str, StoredDocument]) -> None:
    found = [(row.label, row.place.first, row.years, row.unit) for row in rows_of(stored["filing.txt"])]
    years = (2022, 2021, 2020)
    assert found == [("Net sales", 2, years, "millions"), ("Goodwill", 3, years, "millions")]


def test_an_altered_word_stands_nowhere_near(stored: dict[str, StoredDocument]) -> None:
    kinds = set()
    for source in (s for name in ("bridge.md", "choir.md") for s in sentences_of(stored[name])):
        for kind, _, rule in ALTERATIONS:
            for chance in chances():
                altered = rule(source, chance)
                if altered is None:
                    continue
                kinds.add(kind)
                assert altered.text != source.text
                assert altered.word not in source.nearby
                assert altered.word in altered.text
    assert kinds >= {"factor of ten", "other digit", "other year", "other date", "other person", "other place"}
    assert "name at the beginning" in kinds


def test_years_are_no_amounts(bridge: list[SourceSentence]) -> None:
    assert all(factor_of_ten(bridge[0], chance) is None for chance in chances())
    amounts = {altered.word for chance in chances() if (altered := factor_of_ten(bridge[2], chance))}
    assert amounts <= {"125", "1.25"}
    assert amounts


def test_a_year_is_replaced_by_one_that_is_absent(bridge: list[SourceSentence]) -> None:
    years = {altered.word for chance in chances() if (altered := other_year(bridge[0], chance))}
    assert years
    assert not years & {"1931", "1934", "1958"}


def test_a_place_is_replaced_by_one_of_its_kind(bridge: list[SourceSentence]) -> None:
    altered = other_place(bridge[1], random.Random(1))
    assert altered is not None
    assert altered.true == "Denmark"
    assert altered.word not in ("Paris", "Texas")


def test_sums_are_right_and_wrong_sums_are_wrong(sales: TableRow) -> None:
    right = {"400", "10.0", "3,966.7", "11,900"}
    for chance in chances():
        case, wrong = computed(sales, chance), miscomputed(sales, chance)
        assert case is not None
        assert any(number in case.statements[0].text for number in right)
        assert wrong is not None
        assert not any(f"{number} " in wrong.statements[0].text.replace("%", " ") for number in right)
        assert wrong.statements[0].expected == "false"


def test_a_row_is_stated_in_other_languages(sales: TableRow) -> None:
    said = {case.statements[0].text for chance in chances() if (case := translated_row(sales, chance))}
    assert "Der Nettoumsatz betrug im Jahr 2022 4.400 Mio. US-Dollar." in said
    assert "2022年净销售额为44亿美元。" in said


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (by_active_voice, "The Kestrel was written by Ada Moor in 1920.", "Ada Moor wrote The Kestrel in 1920."),
        (by_reordering, "In May 1920, the ship left the harbour.", "The ship left the harbour in May 1920."),
        (by_reordering, "In May 1920, the ship left and the crew stayed.", None),
        (by_shortening, "The ship (a brig) left the old harbour, which was closed.", "The ship left the old harbour."),
        (by_surname, "The letter was sent by Henry Okoro.", "The letter was sent by Okoro."),
        (by_synonyms, "The mill is located nearby.", "The mill is situated nearby."),
        (by_synonyms, "The mill is near.", None),
    ],
)
def test_paraphrases(rule: object, text: str, expected: str | None) -> None:
    assert callable(rule)
    assert rule(text, random.Random(1)) == expected


def test_dates_are_written_in_other_orders() -> None:
    forms = {by_date_format("It opened on May 14, 1934.", chance) for chance in chances()}
    assert forms == {"It opened on 1934-05-14.", "It opened on 14 May 1934."}


def test_the_same_cases_are_made_each_time(cases: list[LieCase], stored: dict[str, StoredDocument]) -> None:
    assert cases == make_cases(stored)
    assert {case.half for case in cases} <= set(HALVES)


def test_each_case_cites_lines_that_exist(cases: list[LieCase], stored: dict[str, StoredDocument]) -> None:
    for case in cases:
        for citation in (c for statement in case.statements for c in statement.citations):
            place = citation.place
            assert 1 <= place.first <= place.last <= stored[place.file].document.line_count


def test_wrong_places_do_not_hold_the_words(cases: list[LieCase], stored: dict[str, StoredDocument]) -> None:
    misplaced = [case for case in cases if case.group == "wrong place"]
    assert misplaced
    for case in misplaced:
        [statement] = case.statements
        place = statement.citations[0].place
        assert statement.text not in "\n".join(stored[place.file].lines(place.first, place.last))


def test_invented_quotations_stand_in_no_document_cited(
    cases: list[LieCase], stored: dict[str, StoredDocument]
) -> None:
    invented = [case for case in cases if case.group == "quotation"]
    assert invented
    for case in invented:
        [citation] = case.statements[0].citations
        assert citation.quote not in stored[citation.place.file].document.text


def test_the_filings_of_a_company_are_in_one_half() -> None:
    assert half_of("Pfizer_2023Q2_10Q.pdf") == half_of("PFIZER_2021_10K.pdf")
    assert len({half_of(f"{number}.md") for number in range(20)}) == 2


def test_a_folder_without_the_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="holds none of the sets"):
        data_pack_documents(tmp_path)


def test_amounts_of_a_row_are_decimals(sales: TableRow) -> None:
    assert sales.amounts == (Decimal(4400), Decimal(4000), Decimal(3500))


def test_two_sentences_become_one_with_both_citations(bridge: list[SourceSentence]) -> None:
    case = merged(bridge[0], bridge[2], random.Random(1))
    assert case is not None
    [statement] = case.statements
    assert [citation.place.first for citation in statement.citations] == [3, 6]
    assert statement.text.startswith("The bridge over the Kessel")
    assert statement.text.endswith("as the county of Belfry had expected.")


def test_a_sentence_is_introduced_by_its_document(bridge: list[SourceSentence]) -> None:
    said = [case.statements[0].text for chance in chances() if (case := introduced(bridge[0], chance))]
    assert len(said) == 20
    assert all("Kessel bridge" in text and "the bridge over the Kessel was designed" in text for text in said)
